// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s

// Arrays stay as they are where each element is used once, or again only by a loop that moves with
// nothing of it; where they are written; where they may overlap what is written; where rows are read
// as well; where a contraction packs them; and where loops can go along rows instead.

// CHECK-NOT: [poly-transpose]
#define NEST(NAME, STATEMENT)                                                        \
    void NAME(int n, int t, double A[restrict][n], double C[restrict][n])            \
    {                                                                                \
        for (int s = 0; s < t; s++)                                                  \
            for (int i = 0; i < n; i++)                                              \
                for (int j = 1; j < n; j++)                                          \
                    STATEMENT;                                                       \
    }

NEST(once, C[i][j] = C[i][j] / 2 + A[j][i] / 4)
NEST(written, A[j][3] = C[i][j] + A[j][2])
NEST(both_ways, C[i][j] = C[i][j] / 2 + A[j][3] * A[3][j])
NEST(sums, C[0][i] += A[j][i] * 0.5)
NEST(wavefront, C[i][j] = C[i][j] + C[i][j - 1] * 0.25 + A[j][i])

void product(int n, double C[restrict][n], double A[restrict][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[k][i] * A[j][k];
}

void overlaps(int n, double C[][512])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            C[i][j] = C[i][j] * 0.5 + C[j][3];
}
