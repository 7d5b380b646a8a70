// RUN: polyopt-opt %s -p 'promote-scalars,if-convert,simplify-loops,detect-scops,poly-isolate-carriers{threads=true},poly-print-loops' \
// RUN:   | filecheck %s

// For threads the rows before the pivot's and behind it go apart from it: they carry nothing; within them, the
// columns do as always.
// CHECK-LABEL: // pivot:
// CHECK-NEXT:  //   for (c0 = 0; c0 < n; c0++)
// CHECK-NEXT:  //     for (c1 = 0; c1 < c0; c1++) // parallel
// CHECK-NEXT:  //       for (c2 = 0; c2 < c0; c2++) // parallel
// CHECK-NEXT:  //         S0(c0, c1, c2);
// CHECK-NEXT:  //       S0(c0, c1, c0);
// CHECK-NEXT:  //       for (c2 = c0 + 1; c2 < n; c2++) // parallel
// CHECK-NEXT:  //         S0(c0, c1, c2);
// CHECK:       //     for (c1 = c0 + 1; c1 < n; c1++) // parallel
// CHECK-NEXT:  //       for (c2 = 0; c2 < c0; c2++) // parallel
void pivot(int n, double P[restrict n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                P[i][j] = P[i][j] - P[i][k] * P[k][j];
}

// Not where a loop around is parallel: that one is what threads share out.
// CHECK-LABEL: // batch:
// CHECK-NEXT:  //   for (c0 = 0; c0 < m; c0++) // parallel
// CHECK-NEXT:  //     for (c1 = 0; c1 < n; c1++)
// CHECK-NEXT:  //       for (c2 = 0; c2 < n; c2++)
// CHECK-NEXT:  //         for (c3 = 0; c3 < c1; c3++) // parallel
void batch(int m, int n, double P[restrict m][n][n])
{
    for (int b = 0; b < m; b++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    P[b][i][j] = P[b][i][j] - P[b][i][k] * P[b][k][j];
}

// Nor where more than one iteration carries something.
// CHECK-LABEL: // rows:
// CHECK-NEXT:  //   for (c0 = 0; c0 < n; c0++)
// CHECK-NEXT:  //     for (c1 = 1; c1 < n; c1++) // pipeline
// CHECK-NEXT:  //       for (c2 = 0; c2 < n; c2++) // parallel
void rows(int n, double P[restrict n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++)
                P[i][j] = P[i][j] - P[i - 1][j] * P[0][j];
}
