// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-isolate-carriers,poly-print-loops \
// RUN:   | filecheck %s

// Only the pivot's own column carries anything along a row.
// CHECK-LABEL: // pivot:
// CHECK-NEXT:  //   for (c0 = 0; c0 < n; c0++)
// CHECK-NEXT:  //     for (c1 = 0; c1 < n; c1++)
// CHECK-NEXT:  //       for (c2 = 0; c2 < c0; c2++) // parallel
// CHECK-NEXT:  //         S0(c0, c1, c2);
// CHECK-NEXT:  //       S0(c0, c1, c0);
// CHECK-NEXT:  //       for (c2 = c0 + 1; c2 < n; c2++) // parallel
// CHECK-NEXT:  //         S0(c0, c1, c2);
void pivot(int n, double P[restrict n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                P[i][j] = P[i][j] - P[i][k] * P[k][j];
}

// Every iteration hands something to the next.
// CHECK-LABEL: // sweep:
// CHECK-NEXT:  //   for (c0 = 1; c0 < n; c0++)
// CHECK-NEXT:  //     S0(c0);
void sweep(int n, double a[restrict n])
{
    for (int i = 1; i < n; i++)
        a[i] = a[i] + a[i - 1];
}
