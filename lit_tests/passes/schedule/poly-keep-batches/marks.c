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

// One sweep down columns goes through rows when its loops are interchanged; two sweeps hold what
// the second one reads again, and so does one in arrays of which a problem is a row.
// CHECK-LABEL: func.func @down_columns(
// CHECK-NOT:     poly.batch
void down_columns(double a[restrict 64][64], double b[64][64])
{
    for (int i = 0; i < 64; i++)
        for (int j = 1; j < 64; j++)
            a[j][i] = a[j - 1][i] * b[j][i];
}

// CHECK-LABEL: func.func @down_and_up(
// CHECK:         poly.batch
void down_and_up(double a[restrict 64][64], double b[64][64])
{
    for (int i = 0; i < 64; i++) {
        for (int j = 1; j < 64; j++)
            a[j][i] -= a[j - 1][i] * b[j][i];
        for (int j = 62; j >= 0; j--)
            a[j][i] -= a[j + 1][i] * b[j][i];
    }
}

// CHECK-LABEL: func.func @along_rows(
// CHECK:         poly.batch
void along_rows(double a[restrict 64][64], double b[64][64])
{
    for (int i = 0; i < 64; i++)
        for (int j = 1; j < 64; j++)
            a[i][j] = a[i][j - 1] * b[i][j];
}
