// What the source asks of a loop is done, and marked as done by hand; a loop without a pragma is not
// touched; what a dependence forbids is an error at the pragma; without threads `parallel` asks for nothing.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,simplify-loops,detect-scops,poly-apply-pragmas,poly-print-loops' 2>&1 | filecheck %s
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,simplify-loops,detect-scops,poly-apply-pragmas{threads=false}' | filecheck %s --check-prefix=MARKED
// RUN: not polyopt-cc -DILLEGAL -O2 -c %s -o - 2>&1 | filecheck %s --check-prefix=ILLEGAL

// MARKED-LABEL: func.func @product
// MARKED:         mark: \22tile\22
// MARKED-NOT:     threads
// MARKED:         poly.by_hand
// MARKED-LABEL: func.func @plain
// MARKED-NOT:     poly.by_hand
void product(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n])
{
#pragma polyopt interchange(j, k) tile(16, 8) parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}

void plain(int n, double a[n])
{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
}

// CHECK:      product:
// CHECK-NEXT:   for (c0 = 0; c0 < n; c0 += 16) // tile, threads, parallel
// CHECK-NEXT:     for (c1 = 0; c1 < n; c1 += 8) // tile, parallel
// CHECK-NEXT:       for (c2 = c0; c2 < min(n, c0 + 16); c2++)
// CHECK-NEXT:         for (c3 = 0; c3 < n; c3++)
// CHECK-NEXT:           for (c4 = c1; c4 < min(n, c1 + 8); c4++)
// CHECK-NEXT:             S0(c2, c4, c3);
// CHECK:      plain:
// CHECK-NEXT:   for (c0 = 0; c0 < n; c0++)
// ILLEGAL:      clauses.c:[[# @LINE + 5]]:1: error: 'reverse' is illegal:
// ILLEGAL-NEXT: flow dependence from S0 to S0
#ifdef ILLEGAL
void sums(int n, double a[n])
{
#pragma polyopt reverse
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}
#endif
