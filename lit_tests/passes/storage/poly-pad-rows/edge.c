// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --emit=schedule --skip-pass=poly-pad-rows -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'poly-pad-rows{march=x86-64-v3 limit=1000}' --remarks -o %t.small 2>&1 | filecheck %s --check-prefix=SMALL
// RUN: polyopt-opt %t.mlir -p 'poly-pad-rows{march=x86-64-v3 operations=10}' --remarks -o %t.dear 2>&1 | filecheck %s --check-prefix=DEAR

// `limit` is asked of the sizes when the loops run, and an array of known size that is larger stays;
// so does what costs more than `operations`.

// SMALL: applied: A has rows that are 8 elements longer, copied in and out, where that takes at most 1000 bytes [poly-pad-rows]
// DEAR: missed: rows stay as they are: {{.*}} [poly-pad-rows]
void reduce(int m, int n, double A[restrict][512], double R[restrict][512])
{
    for (int k = 0; k < n; k++)
        for (int j = k + 1; j < n; j++) {
            R[k][j] = 0;
            for (int i = 0; i < m; i++)
                R[k][j] += A[i][k] * A[i][j];
            for (int i = 0; i < m; i++)
                A[i][j] -= A[i][k] * R[k][j];
        }
}
