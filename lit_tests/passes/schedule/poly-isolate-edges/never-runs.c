// RUN: polyopt-cc -O1 -ffp-contract=off --poly=matrix+tile --tile-sizes=32,8 --skip-pass=poly-keep-small --emit=affine %s | filecheck %s

// Tiles of which a statement has no instance: nothing in them is taken apart, and the rest runs.
// CHECK: func.func @kernel
// CHECK: affine.store

struct s { int f; };
double C[17][17][19];
float D[17];

void kernel(long n, unsigned m, int l, struct s B[], double A[n + 3][n + 1], float *X)
{
    for (int i = 2; i < n; i++)
        for (int k = 2; k < l; k++) {
            B[k].f = 511;
            for (int p = 0; p != n; p++)
                for (int q = 1; q < m; q++)
                    if ((p % 4) == 0)
                        C[q][i][q] = A[i][i - 2];
                    else
                        D[q] += X[((((q - i) + 15) / 2) * 20) + p];
        }
}
