// Without factors they are counted: what is used by several rows is loaded once for as many as registers hold; where nothing is
// used twice, nothing is done.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-register-tile{march=x86-64-v3},poly-print-loops" | filecheck %s
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-register-tile{march=x86-64-v4},poly-print-loops" | filecheck %s --check-prefix=MORE

void update(int n, double A[restrict n][n], double u[restrict n], double v[restrict n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] += u[i] * v[j];
}

// A is read and written and u read for each row, and v for all: 3 p + 1 registers.
// CHECK-LABEL: update
// CHECK:       for (c0 = 0; c0 < n; c0 += 4)
// MORE-LABEL: update
// MORE:        for (c0 = 0; c0 < n; c0 += 8)

void sum(int n, double A[restrict n][n], double B[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] += B[i][j];
}

// CHECK-LABEL: sum
// CHECK:       for (c0 = 0; c0 < n; c0++)
// CHECK-NEXT:    for (c1 = 0; c1 < n; c1++)
// CHECK-NEXT:      S0(c0, c1);
