// Small recurrences side by side are marked and keep their order; a small product does not, nor problems that know of each other.
// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=schedule -o - %s | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=poly -o - %s | polyopt-opt -p poly-keep-batches | filecheck %s

// CHECK-LABEL: func.func @recurrences(
// CHECK:         poly.batch
void recurrences(int m, double a[][6][6])
{
    for (int b = 0; b < m; b++)
        for (int k = 0; k < 6; k++)
            for (int i = k + 1; i < 6; i++)
                for (int j = k; j < 6; j++)
                    a[b][i][j] -= a[b][i][k] * a[b][k][j];
}

// CHECK-LABEL: func.func @products(
// CHECK-NOT:     poly.batch
void products(int m, double a[][6][6], double c[][6][6], double d[restrict][6][6])
{
    for (int b = 0; b < m; b++)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                for (int k = 0; k < 6; k++)
                    d[b][i][j] += a[b][i][k] * c[b][k][j];
}

// CHECK-LABEL: func.func @chain(
// CHECK-NOT:     poly.batch
void chain(int m, double a[][6])
{
    for (int b = 1; b < m; b++)
        for (int k = 1; k < 6; k++)
            a[b][k] -= a[b - 1][k] * a[b][k - 1];
}
