// Where a row goes on at its other end, the iterations at its ends are apart from the others.
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-isolate-edges,poly-print-loops \
// RUN:   | filecheck %s

// CHECK-LABEL: // ring:
// CHECK-NEXT:  //   if (n - 3 >= 0)
// CHECK-NEXT:  //     S0(0);
// CHECK-NEXT:  //   for (c0 = 1; c0 < n - 1; c0++) // parallel
// CHECK-NEXT:  //     S0(c0);
// CHECK-NEXT:  //   if (n - 3 >= 0)
// CHECK-NEXT:  //     S0(n - 1);
void ring(int n, double A[restrict n], double B[restrict n])
{
    if (n > 2)
        for (int i = 0; i < n; i++)
            B[i] = A[i == 0 ? n - 1 : i - 1] + A[i == n - 1 ? 0 : i + 1];
}

// Two elements at the end, none at the beginning.
// CHECK-LABEL: // clamped:
// CHECK-NEXT:  //   for (c0 = 0; c0 < 98; c0++) // parallel
// CHECK-NEXT:  //     S0(c0);
// CHECK-NEXT:  //   for (c0 = 98; c0 < 100; c0++) // parallel
// CHECK-NEXT:  //     S0(c0);
void clamped(double A[restrict 100], double B[restrict 100])
{
    for (int i = 0; i < 100; i++)
        B[i] = A[i + 2 > 99 ? 99 : i + 2];
}

// What bends along the outer loop only does not change in the inner one.
// CHECK-LABEL: // outer:
// CHECK-NEXT:  //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT:  //     for (c1 = 0; c1 < n; c1++) // parallel
// CHECK-NEXT:  //       S0(c0, c1);
void outer(int n, double A[restrict n][n], double B[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = A[i == 0 ? n - 1 : i - 1][j];
}

// The bend is in the middle of the loop.
// CHECK-LABEL: // middle:
// CHECK-NEXT:  //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT:  //     S0(c0);
void middle(int n, int m, double A[restrict n], double B[restrict n])
{
    for (int i = 0; i < n; i++)
        B[i] = A[i < m ? i : n - 1 - i];
}
