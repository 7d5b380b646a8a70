// Stripes between hyperplanes (one family for two loops, with a strict side by an offset), the cells of a lattice and bricks on it;
// the points of a tile along its fronts; numbers that make no partition of space are refused.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{shape=\"hyperplanes\" normals=1,2 spacing=8 offset=1},poly-print-loops" | filecheck %s --check-prefix=STRIPES
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{shape=\"lattice\" generators=8,0,4,8 within=\"0 <= x0 < 8 and 0 <= x1 < 8\"},poly-print-loops" | filecheck %s --check-prefix=BRICKS
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{shape=\"lattice\" generators=8,0,0,8 basis=1,1,0,1},poly-print-loops" | filecheck %s --check-prefix=FRONTS
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{scop=\"update\" shape=\"lattice\" generators=8,0,0,8 within=\"0 <= x0 < 8 and 0 <= x1 <= 8\"}" 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{scop=\"update\" shape=\"hyperplanes\" normals=1,1,1 spacing=8}" 2>&1 | filecheck %s --check-prefix=DEEP

void update(int n, double A[restrict 100][100])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] += 1.0;
}

// The side i + 2j = 1 belongs to the stripe: 1 <= i + 2j - 8 c0 <= 8.
// STRIPES:      for (c0 = -1; {{.*}}) // tile, parallel
// STRIPES-NEXT:   for (c1 = {{.*}}8 * c0{{.*}}) // point, parallel
// STRIPES-NEXT:     for (c2 = {{.*}}) // point, parallel
// STRIPES-NEXT:       S0(c1, c2);

// BRICKS:      for (c0 = {{.*}}) // tile, parallel
// BRICKS-NEXT:   for (c1 = {{.*}}) // tile, parallel
// BRICKS-NEXT:     for (c2 = max(8 * c0 + 4 * c1, 0); c2 < min(n, 8 * c0 + 4 * c1 + 8); c2++) // point, parallel
// BRICKS-NEXT:       for (c3 = 8 * c1; c3 < min(n, 8 * c1 + 8); c3++) // point, parallel

// FRONTS:     for (c2 = 8 * c0 + 8 * c1; {{.*}}) // point, parallel
// FRONTS-NEXT:  for (c3 = max({{.*}}) // point, parallel
// FRONTS-NEXT:    S0(c2 - c3, c3);

// TWICE: error: poly-tile: the shapes at two points of the lattice overlap
// DEEP: error: not tiled: no nest of 3 loops
