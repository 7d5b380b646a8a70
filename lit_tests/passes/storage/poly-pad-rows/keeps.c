// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s

// Rows stay as they are where they meet in no few sets, where their distance is not known, where each
// element is used only a few times, and where contractions pack what they need.

// CHECK-NOT: [poly-pad-rows]
#define REDUCE(NAME, COLUMNS, STEPS)                                                   \
    void NAME(int m, int n, double A[restrict m][COLUMNS], double R[restrict][COLUMNS]) \
    {                                                                                  \
        for (int k = 0; k < STEPS; k++)                                                \
            for (int j = k + 1; j < n; j++) {                                          \
                R[k][j] = 0;                                                           \
                for (int i = 0; i < m; i++)                                            \
                    R[k][j] += A[i][k] * A[i][j];                                      \
                for (int i = 0; i < m; i++)                                            \
                    A[i][j] -= A[i][k] * R[k][j];                                      \
            }                                                                          \
    }

REDUCE(other_rows, 520, n)
REDUCE(unknown_rows, n, n)
REDUCE(few_steps, 512, 4)

void product(int n, double C[restrict][512], double A[restrict][512], double B[restrict][512])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}
