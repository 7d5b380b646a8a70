// Tiles that lean both ways in time, along t - i and t + i: those of a wavefront (c0) need nothing of each other. The sweep in place
// needs its left neighbour at the same time: its tiles lean one way only, and run along a wavefront all the same.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{skew=true shape=\"diamond\" points=\"source\"},poly-print-loops" | filecheck %s

void apart(int m, int n, double A[restrict 101][1000])
{
    for (int t = 0; t < m; t++)
        for (int i = 1; i < n - 1; i++)
            A[t + 1][i] = A[t][i - 1] + A[t][i + 1];
}

// CHECK:      for (c0 = {{.*}}; c0 += 32) // tile
// CHECK-NEXT:   for (c1 = {{.*}}; c1 += 32) // tile, parallel
// CHECK-NEXT:     for (c2 = max({{.*}}c0{{.*}}c1{{.*}}) // point
// CHECK-NEXT:       for (c3 = max({{.*}}c1 - c2{{.*}}; c3 < min({{.*}}; c3++) // parallel
// CHECK-NEXT:         S0(c2, c3);

void in_place(int steps, int n, double A[1000])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            A[i] = 0.5 * A[i - 1] + 0.5 * A[i + 1];
}

// CHECK:      for (c0 = 0; {{.*}}; c0 += 32) // tile, pipeline
// CHECK-NEXT:   for (c1 = {{.*}}; c1 += 32) // tile, parallel
// CHECK-NEXT:     for (c2 = max(c0 - c1, {{.*}}) // point
// CHECK-NEXT:       for (c3 = max(c1 - c2, 1); c3 < min(n - 1, c1 - c2 + 32); c3++)
