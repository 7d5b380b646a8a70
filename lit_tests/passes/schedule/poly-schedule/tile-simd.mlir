// for (j1) for (j2 > j1) for (i) symmat[j1][j2] += data[i][j1] * data[i][j2];
// Huang et al., figure 3: j2 walks along the rows of both arrays, so it is strip-mined and moved
// inside; i, which was innermost, is marked to be unrolled and jammed. The sum keeps its order.
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=tile-simd march=x86-64-v3},poly-print-loops" | filecheck %s
// With Algorithm 2's size for the loops outside the strip, j1 is tiled too.
// RUN: polyopt-opt %s -p "poly-schedule{scheduler=tile-simd march=x86-64-v3 outer_tile=32},poly-print-loops" | filecheck %s --check-prefix=OUTER

func.func @product(%C : memref<?x90000xf64>, %D : memref<?x90000xf64>, %n : index, %m : index) {
  poly.scop "product" params(%n, %m) ["n", "m"] arrays(%C, %D : memref<?x90000xf64>, memref<?x90000xf64>) ["symmat", "data"]
    context <"[n, m] -> { : 0 < n and 0 < m <= 90000 }">
    schedule <"{ domain: \"[n, m] -> { S3[j1, j2, i] : 0 <= j1 < m - 1 and j1 < j2 < m and 0 <= i < n }\", child: { schedule: \"[{ S3[j1, j2, i] -> [j1] }, { S3[j1, j2, i] -> [j2] }, { S3[j1, j2, i] -> [i] }]\" } }">
  {
    poly.stmt "S3" domain <"[n, m] -> { S3[j1, j2, i] : 0 <= j1 < m - 1 and j1 < j2 < m and 0 <= i < n }"> iterators ["j1", "j2", "i"] {
    ^bb0(%j1 : index, %j2 : index, %i : index):
      %c = poly.read %C <"{ S3[j1, j2, i] -> symmat[j1, j2] }"> : memref<?x90000xf64>
      %a = poly.read %D <"{ S3[j1, j2, i] -> data[i, j1] }"> : memref<?x90000xf64>
      %b = poly.read %D <"{ S3[j1, j2, i] -> data[i, j2] }"> : memref<?x90000xf64>
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      poly.write %s, %C <"{ S3[j1, j2, i] -> symmat[j1, j2] }"> : memref<?x90000xf64>
    }
  }
  func.return
}

// CHECK:      // product:
// CHECK-NEXT: for (c0 = 0; c0 < m - 1; c0++) // tile, parallel
// CHECK-NEXT:   for (c1 = {{.*}}; c1 < m; c1 += {{[0-9]+}}) // tile, parallel
// CHECK-NEXT:     for (c2 = 0; c2 < n; c2 += 8) // point
// CHECK-NEXT:       for (c3 = c2; c3 < min(n, c2 + 8); c3++) // jam, unroll
// CHECK-NEXT:         for (c4 = {{.*}}; c4 < min({{.*}}); c4++) // point, parallel
// CHECK-NEXT:           S3(c0, c4, c3);

// OUTER:      // product:
// OUTER-NEXT: for (c0 = 0; c0 < m - 1; c0 += 32) // tile, parallel
// OUTER-NEXT:   for (c1 = {{.*}}; c1 < m; {{.*}}) // tile, parallel
// OUTER-NEXT:     for (c2 = c0; {{.*}}) // point, parallel
