// A matrix product by hand: initialisation apart, the update in tiles, four rows at once. Then each
// way to be wrong, at its place in the script.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,simplify-loops,detect-scops,poly-apply-steps{steps="distribute S0.i; tile S1.i S1.k 32 8; unroll S1.i 4; print"},poly-print-loops' 2>&1 | filecheck %s
// RUN: not polyopt-opt %s -p 'promote-scalars,clean-values,simplify-loops,detect-scops,poly-apply-steps{steps="distribute S0.i; reorder S1 S0"}' 2>&1 | filecheck %s --check-prefix=ILLEGAL

void product(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            C[i][j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                C[i][j] += A[i][k] * B[k][j];
    }
}

// CHECK:      for i                       S0.i
// CHECK-NEXT:   for j                     S0.j
// CHECK-NEXT:     S0                      {{.*}}by-hand.c:10:13
// CHECK-NEXT: for i_tile [tile]           S1.i_tile
// CHECK-NEXT:   for k_tile [tile]         S1.k_tile
// CHECK-NEXT:     for i_tile2 [tile]      S1.i_tile2
// CHECK-NEXT:       for k [point]         S1.k
// CHECK-NEXT:         for j               S1.j
// CHECK-NEXT:           for i [unroll]    S1.i
// CHECK-NEXT:             S1              {{.*}}by-hand.c:13:17

// CHECK:      for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT:   for (c1 = 0; c1 < n; c1++) // parallel
// CHECK-NEXT:     S0(c0, c1);
// CHECK-NEXT: for (c0 = 0; c0 < n; c0 += 32) // tile, parallel
// CHECK-NEXT:   for (c1 = 0; c1 < n; c1 += 8) // tile
// CHECK-NEXT:     for (c2 = c0; c2 < min(n, c0 + 32); c2 += 4) // tile, parallel
// CHECK-NEXT:       for (c3 = c1; c3 < min(n, c1 + 8); c3++) // point
// CHECK-NEXT:         for (c4 = 0; c4 < n; c4++) // parallel
// CHECK-NEXT:           for (c5 = c2; c5 < min(n, c2 + 4); c5++) // unroll, parallel
// CHECK-NEXT:             S1(c5, c3, c4);

// ILLEGAL:      <poly-apply-steps>:1:1: error: 'distribute S0.i; reorder S1 S0' is illegal:
// ILLEGAL-NEXT:   {{flow|output}} dependence from S0 to S1 ({{.*}}by-hand.c:10:13 and {{.*}}by-hand.c:13:17) is not kept: C[0][0] is written by S0 at i = 0, j = 0, and then {{read|written again}} by S1 at i = 0, k = 0, j = 0 (for n = 1)
// ILLEGAL:      distribute S0.i; reorder S1 S0
// ILLEGAL-NEXT: ^
