// A sweep in place that reads neighbours on both sides: what time carries goes back along i, so rectangles over t and i would cut
// it. Tiles lean with time; inside them the loops are those of the source. Without skewing nothing is tiled.
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile{skew=true},poly-print-loops" | filecheck %s
// RUN: polyopt-opt %s -p "promote-scalars,detect-scops,poly-tile,poly-print-loops" | filecheck %s --check-prefix=PLAIN

void sweep(int steps, int n, double A[1000])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            A[i] = 0.5 * A[i - 1] + 0.5 * A[i + 1];
}

// CHECK:      for (c0 = 0; c0 < steps; c0 += 32) // tile, pipeline
// CHECK-NEXT:   for (c1 = c0; c1 < {{.*}}; c1 += 32) // tile
// CHECK-NEXT:     for (c2 = {{.*}}; c2++) // point
// CHECK-NEXT:       for (c3 = max(c1 - c2, 1); c3 < min(n - 1, c1 - c2 + 32); c3++)
// CHECK-NEXT:         S0(c2, c3);

// PLAIN-NOT:  tile
// PLAIN:      S0(c0, c1);
