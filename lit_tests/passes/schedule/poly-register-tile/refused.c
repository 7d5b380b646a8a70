// What row i - 1 leaves at j + 1 is read at j: rows together would read it before it is there. Factors are of a list.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-register-tile{factors=4,1},poly-print-loops" | filecheck %s
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-register-tile{factors=3,1}" 2>&1 | filecheck %s --check-prefix=WRONG

void lean(int n, double A[n][n])
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n - 1; j++)
            A[i][j] = A[i - 1][j + 1];
}

// CHECK-NOT: unroll
// CHECK:     S0(c0, c1);
// WRONG: poly-register-tile: expected two factors, each one of 1, 2, 4, 6, 8
