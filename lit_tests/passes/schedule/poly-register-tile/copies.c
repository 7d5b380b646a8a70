// Four iterations of the second loop from inside run together: they load B[k][j] once. Copies of the innermost loop are made only
// where it carries something, and so runs in no vectors.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-register-tile{factors=4,2},poly-print-loops" | filecheck %s

void product(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                C[i][j] += A[i][k] * B[k][j];
}

// CHECK-LABEL: product
// CHECK:      for (c0 = 0; c0 < n; c0++)
// CHECK-NEXT:   for (c1 = 0; c1 < n; c1 += 4)
// CHECK-NEXT:     for (c2 = 0; c2 < n; c2++)
// CHECK-NEXT:       for (c3 = c1; c3 < min(n, c1 + 4); c3++) // unroll
// CHECK-NEXT:         S0(c0, c3, c2);

void rows(int n, int m, double a[restrict n], double A[restrict n][m], double x[restrict m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i] += A[i][j] * x[j];
}

// CHECK-LABEL: rows
// CHECK:      for (c0 = 0; c0 < n; c0 += 4)
// CHECK-NEXT:   for (c1 = 0; c1 < m; c1 += 2)
// CHECK-NEXT:     for (c2 = c0; c2 < min(n, c0 + 4); c2++) // unroll
// CHECK-NEXT:       for (c3 = c1; c3 < min(m, c1 + 2); c3++) // unroll
// CHECK-NEXT:         S0(c2, c3);
