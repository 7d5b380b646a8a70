// Tiles work on copies of what they touch: each element that is read and not made inside is copied in once, what is written is copied
// out, at places relative to the tile; values made inside need no copy in; a box where the image is too dear; what cannot be is refused.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile-loops{scop=\"product\" loops=\"S0.i\",\"S0.j\",\"S0.k\" sizes=32,32,32},poly-localize{scop=\"product\" arrays=A},poly-print-loops,poly-to-affine" | filecheck %s
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile-loops{scop=\"product\" loops=\"S0.i\",\"S0.j\",\"S0.k\" sizes=32,32,32},poly-localize{scop=\"product\"}" --remarks 2>&1 | filecheck %s --check-prefix=TOLD
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-localize{scop=\"chain\" at=\"S0.t\"},poly-print-loops" | filecheck %s --check-prefix=CHAIN
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{scop=\"star\" shape=\"hexagon\" sizes=8,4},poly-localize{scop=\"star\" arrays=A},poly-print-loops" --remarks 2>&1 | filecheck %s --check-prefix=STAR
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-localize{scop=\"holes\" arrays=A at=\"S0.i\" operations=1}" --remarks 2>&1 | filecheck %s --check-prefix=BOX
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-localize{scop=\"gathered\" arrays=A at=\"S0.i\"}" 2>&1 | filecheck %s --check-prefix=DATA
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-localize{scop=\"product\"}" 2>&1 | filecheck %s --check-prefix=TILES
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-localize{scop=\"product\" arrays=Q at=\"S0.i\"}" 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-localize{scop=\"product\" arrays=A at=\"S0.i\" limit=100}" 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-localize{scop=\"rows\" arrays=A at=\"S0.i\" limit=8192}" | filecheck %s --check-prefix=ROWS

void product(int n, double C[restrict 100][100], double A[restrict 100][100], double B[restrict 100][100])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 100; k++)
                C[i][j] += A[i][k] * B[k][j];
}

// CHECK:      product:
// CHECK:          for (c2 = 0; c2 < 4; c2++) // tile
// CHECK-NEXT:       for (c3 = 32 * c0; c3 < min({{.*}}32 * c0 + 32{{.*}}); c3++) // parallel
// CHECK-NEXT:         for (c4 = 32 * c2; c4 < min(32 * c2 + 32, 100); c4++) // parallel
// CHECK-NEXT:           A_in(c0, c1, c2, c3, c4);
// CHECK-NEXT:       for (c3 = 32 * c0; {{.*}} // point, parallel
// CHECK:                  S0(c0, c1, c2, c3, c4, c5);
// CHECK:      %A_local = memref.alloc() {{.*}} : memref<32x32xf64>
// CHECK:      affine.store %{{.*}}, %A_local[%i_tile * -32 + %a0, %k_tile * -32 + %a1] : memref<32x32xf64>
// CHECK:      affine.load %A_local[%i_tile * -32 + %{{.*}}, %k_tile * -32 + %k] : memref<32x32xf64>
// CHECK:      memref.dealloc %A_local

// TOLD: applied: A in a buffer of 32 x 32: 1024 in for a tile [localize]
// TOLD: applied: B in a buffer of 32 x 32: 1024 in for a tile [localize]
// TOLD: applied: C in a buffer of 32 x 32: 1024 in and 1024 out for a tile [localize]

void chain(int n, double T[restrict 100], double A[restrict 50][100])
{
    for (int t = 0; t < 50; t++) {
        for (int i = 0; i < n; i++)
            T[i] = A[t][i];
        for (int i = 0; i < n; i++)
            A[t][i] = T[i] * T[0];
    }
}

// CHAIN-NOT: T_in
// CHAIN:     T_out(

void star(int n, double A[restrict 100][100], double B[restrict 100][100])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j <= i; j++)
            B[i][j] = A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];
}

// STAR: for (c2 = {{.*}} // parallel
// STAR-NEXT: for (c3 = {{.*}} // parallel
// STAR: A_in(c0, c1, c2, c3);
// STAR: applied: A in a buffer of 22 x 18: {{[0-9]+}} in for a tile [localize]

void holes(double A[restrict 100], double s[restrict 10])
{
    for (int i = 0; i <= 6; i++)
        for (int j = 0; j <= 3; j++)
            s[i] += A[i + 3 * j];
}

// BOX: applied: A in a buffer of 10: 10 in for a tile, all of a box [localize]

void gathered(int n, double A[restrict 100], const int p[restrict 100], double s[restrict 100])
{
    for (int i = 0; i < n; i++)
        s[i] = A[p[i]];
}

// DATA: error: no copies for tiles: which elements of A are touched, data decide
// TILES: error: no copies for tiles: there are no loops over tiles
// TILES: hint: poly-tile makes some
// NONE: error: no copies for tiles: no array 'Q'
// NONE: hint: there are {{.*}}A
// LARGE: error: no copies for tiles: a buffer for A takes 800 bytes, more than 100

// Of a row whose length is not known a copy is made where it is short enough, in a SCoP beside the one that there was.

void rows(int n, int m, double A[restrict 100][m], double s[restrict 100])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s[j] += A[i][j] * A[i][0];
}

// ROWS-LABEL: func.func @rows
// ROWS:         arith.cmpi ule, %{{.*}}, %{{.*}} : index
// ROWS:         scf.if
// ROWS:           memref.alloc
// ROWS:           poly.scop "rows"
// ROWS:           poly.stmt "A_in"
// ROWS:         } else {
// ROWS-NOT:       memref.alloc
// ROWS-NOT:       poly.stmt "A_in"
// ROWS:           poly.scop "rows"
