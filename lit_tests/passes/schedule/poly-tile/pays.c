// Where it is to pay, bands are tiled whose data would have to be fetched again; a product of a matrix and a vector uses each element of
// the matrix once, and the vector stays in cache.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-schedule,poly-tile{pays=true march=x86-64-v3},poly-print-loops" | filecheck %s
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-schedule,poly-tile,poly-print-loops" | filecheck %s --check-prefix=ALL

void product(double C[restrict 1000][1000], double A[restrict 1000][1000], double B[restrict 1000][1000])
{
    for (int i = 0; i < 1000; i++)
        for (int j = 0; j < 1000; j++)
            for (int k = 0; k < 1000; k++)
                C[i][j] += A[i][k] * B[k][j];
}

// CHECK-LABEL: product
// CHECK:       c0 += 32
// CHECK-NEXT:  c1 += 32
// ALL-LABEL: product
// ALL:       c0 += 32

void columns(double y[restrict 1000], double A[restrict 1000][1000], double x[restrict 1000])
{
    for (int i = 0; i < 1000; i++)
        for (int j = 0; j < 1000; j++)
            y[j] += A[i][j] * x[i];
}

// CHECK-LABEL: columns
// CHECK:       c0++
// CHECK-NEXT:  c1++
// CHECK-NEXT:  S0(
// ALL-LABEL: columns
// ALL:       c0 += 32
