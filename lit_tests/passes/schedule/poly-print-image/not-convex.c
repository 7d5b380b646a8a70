// What arrays are touched, and loops that visit each element once: sets that are not convex, as in "Scanning polyhedra with DO
// loops". A star over a triangle; holes, that a guard of integer divisions leaves out; a hexagonal tile, as one nest of two loops.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-print-image" | filecheck %s
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{scop=\"star\" shape=\"hexagon\" sizes=2,1},poly-print-image{arrays=A at=\"tile\"}" | filecheck %s --check-prefix=TILE
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-print-image{arrays=A operations=1}" | filecheck %s --check-prefix=BOX
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-print-image{arrays=Q}" 2>&1 | filecheck %s --check-prefix=NONE

void star(int n, double A[restrict 100][100], double B[restrict 100][100])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j <= i; j++)
            B[i][j] = A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];
}

void holes(double A[restrict 100], double s[restrict 1])
{
    for (int i = 0; i <= 6; i++)
        for (int j = 0; j <= 3; j++)
            s[0] += A[2 * i + 3 * j];
}

// CHECK:      // star: read by the scop
// CHECK-NEXT: //   [n] -> { A[i0, i1] :
// CHECK:      // star: written by the scop
// CHECK-NEXT: //   [n] -> { B[i0, i1] : i0 <= -2 + n and 0 < i1 <= i0 }
// CHECK-NEXT: //   for (c0 = 1; c0 < n - 1; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 1; c1 < c0 + 1; c1++) // parallel
// CHECK-NEXT: //       B(c0, c1);
// CHECK:      // holes: read by the scop
// CHECK-NEXT: //   { A[i0] : exists (e0: -3 + i0 <= 2e0 <= i0 and i0 <= 3e0 <= 6 + i0) }
// CHECK-NEXT: //   for (c0 = 0; c0 < 22; c0++) // parallel
// CHECK-NEXT: //     if (floord({{.*}}) >= 0 && floord({{.*}}) >= 0)
// CHECK-NEXT: //       A(c0);

// TILE:      // star: read by the tile
// TILE-NEXT: A[i0, i1]
// TILE-NEXT: //   for (c0 = max({{.*}}t1{{.*}}) // parallel
// TILE-NEXT: //     for (c1 = max({{.*}}) // parallel
// TILE-NEXT: //       if ((
// TILE-NEXT: //         A(c0, c1);
// TILE-NEXT: // holes: no loops over tiles

// BOX:      // holes: read by the scop
// BOX-NEXT: //   in a box:
// BOX-NEXT: //   for (c0 = 0; c0 < 22; c0++) // parallel
// BOX-NEXT: //     A(c0);

// NONE: poly-print-image: no static control part has an array 'Q'
