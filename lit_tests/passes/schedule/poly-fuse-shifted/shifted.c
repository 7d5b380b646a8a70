// A sweep that reads rows of the one before further on joins it so many rows later.
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-schedule{scheduler="locality"},poly-fuse-shifted{march="x86-64-v3"},poly-print-loops \
// RUN:   | filecheck %s
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-fuse-shifted{bytes=47000},poly-print-loops \
// RUN:   | filecheck %s --check-prefix=SAID

// b is read two rows further on, and a once for both.
// CHECK-LABEL: // twice:
// CHECK-NEXT:  //   for (c0 = 0; c0 < 3000; c0++)
// CHECK-NEXT:  //     for (c1 = 0; c1 < 2000; c1++) // parallel
// CHECK-NEXT:  //       S0(c0, c1);
// CHECK-NEXT:  //     if (c0 - 2 >= 0)
// CHECK-NEXT:  //       for (c1 = 0; c1 < 2000; c1++) // parallel
// CHECK-NEXT:  //         S1(c0 - 2, c1);
void twice(double a[restrict 3000][2000], double b[restrict 3000][2000], double c[restrict 3000][2000])
{
    for (int i = 0; i < 3000; i++)
        for (int j = 0; j < 2000; j++)
            b[i][j] = a[i][j] + 1;
    for (int i = 0; i < 2998; i++)
        for (int j = 0; j < 2000; j++)
            c[i][j] = b[i + 2][j] - b[i][j] + a[i][j];
}

// Each is one row behind the one before.
// CHECK-LABEL: // chain:
// CHECK-NEXT:  //   for (c0 = 1; c0 < 3001; c0++)
// CHECK-NEXT:  //     for (c1 = 0; c1 < 2000; c1++) // parallel
// CHECK-NEXT:  //       S0(c0, c1);
// CHECK-NEXT:  //     if (c0 - 2 >= 0)
// CHECK-NEXT:  //       for (c1 = 0; c1 < 2000; c1++) // parallel
// CHECK-NEXT:  //         S1(c0 - 1, c1);
// CHECK-NEXT:  //       if (c0 - 3 >= 0)
// CHECK-NEXT:  //         for (c1 = 0; c1 < 2000; c1++) // parallel
// CHECK-NEXT:  //           S2(c0 - 2, c1);
void chain(double a[restrict 3002][2000], double b[restrict 3002][2000], double c[restrict 3002][2000],
           double d[restrict 3002][2000])
{
    for (int i = 1; i < 3001; i++)
        for (int j = 0; j < 2000; j++)
            b[i][j] = a[i - 1][j] + a[i + 1][j];
    for (int i = 1; i < 3000; i++)
        for (int j = 0; j < 2000; j++)
            c[i][j] = b[i + 1][j] - b[i][j] + a[i][j];
    for (int i = 1; i < 2999; i++)
        for (int j = 0; j < 2000; j++)
            d[i][j] = c[i + 1][j] - c[i][j] + a[i][j] * b[i][j];
}

// All of it stays in the second level; it is fused where as much is said to be big.
// SAID-LABEL: // small:
// SAID:       //       S1(c0 - 1, c1);
void small(float a[restrict 40][100], float b[restrict 40][100], float c[restrict 40][100])
{
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 100; j++)
            b[i][j] = a[i][j] + 1;
    for (int i = 0; i < 39; i++)
        for (int j = 0; j < 100; j++)
            c[i][j] = b[i + 1][j] - b[i][j] + a[i][j];
}
