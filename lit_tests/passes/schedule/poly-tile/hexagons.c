// A star of five points over a triangle in hexagons, as in "Scanning polyhedra with DO loops": two loops over tiles, two over the
// points of one, full tiles apart from those at the border. Along time, hexagons start a row at once. In place, dependences
// cross their sides in both directions: refused.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{scop=\"star\" shape=\"hexagon\" sizes=8,4 full=true},poly-print-loops" | filecheck %s
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{scop=\"star\" shape=\"hexagon\" sizes=8,4 dual=true},poly-print-loops" | filecheck %s --check-prefix=DUAL
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-apply-steps{steps=\"hexagons S0.i S0.j 8 4\"}" 2>&1 | filecheck %s --check-prefix=WHICH
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{scop=\"in_time\" shape=\"hexagon\" sizes=8,4 normals=1}" 2>&1 | filecheck %s --check-prefix=UNREAD
// RUN: not polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{scop=\"in_place\" shape=\"hexagon\" sizes=8,4}" 2>&1 | filecheck %s --check-prefix=ILLEGAL

void star(int n, double A[restrict 100][100], double B[restrict 100][100])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j <= i; j++)
            B[i][j] = A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];
}

// CHECK:      star:
// CHECK:      for (c0 = 0; {{.*}}) // tile, parallel
// CHECK-NEXT:   for (c1 = {{.*}}) // tile, parallel
// CHECK-NEXT:     if (c0 - c1 - 2 >= 0 && c0 + 5 * c1 >= 0 && n - 12 * c0 - 12 * c1 - 21 >= 0)
// CHECK-NEXT:       for (c2 = 12 * c0 + 12 * c1; c2 < 12 * c0 + 12 * c1 + 20; c2++) // point, parallel
// CHECK-NEXT:         for (c3 = max({{.*}}) // point, parallel
// CHECK-NEXT:           S0(c2, c3);
// CHECK-NEXT:     else

// DUAL:      for (c0 = {{.*}}) // point, parallel
// DUAL-NEXT:   for (c1 = max(c0 - 19, -c0, -8); c1 < min(c0 + 1, -c0 + 20, 8); c1++) // point, parallel
// DUAL-NEXT:     for (c2 = {{.*}}) // tile, parallel
// DUAL-NEXT:       for (c3 = {{.*}}) // tile, parallel
// DUAL-NEXT:         S0(c0 + 12 * c2 + 12 * c3, c1 + 8 * c2 - 8 * c3);

// WHICH: steps for one SCoP, where there are 3
// UNREAD: poly-tile: normals says nothing of shape=hexagon

void in_time(int m, int n, double A[restrict 101][1000])
{
    for (int t = 0; t < m; t++)
        for (int i = 1; i < n - 1; i++)
            A[t + 1][i] = A[t][i - 1] + A[t][i] + A[t][i + 1];
}

void in_place(int n, double A[100][100])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            A[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];
}

// ILLEGAL: error: not tiled: {{.*}} dependence from S0 to S0 {{.*}} is not kept: A[{{[0-9]+}}][{{[0-9]+}}] is {{.*}} by S0 at i = {{.*}}, and then {{.*}} by S0 at i =
// ILLEGAL: hint: no side of a tile may be crossed by dependences in both directions
