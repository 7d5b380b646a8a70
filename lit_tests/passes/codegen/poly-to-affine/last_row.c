// A subscript of a parameter beside one of a counter is printed as it is read again.
// RUN: polyopt-cc -O3 --emit=affine -o - %s | filecheck %s
// CHECK: affine.load %a{{[_0-9]*}}[%n{{[_0-9]*}} + -1, %i{{[_0-9]*}}] : memref<?x?xf64>

void last_row(int n, int m, double a[n][m], double *restrict b)
{
    for (int i = 0; i < m; i++)
        b[i] = a[n - 1][i];
}
