// A permutable band of three loops in tiles; the last size serves all further members, a size of 1
// leaves a member alone, and the points of a tile may keep the source's order.
// RUN: polyopt-opt %s -p "poly-schedule,poly-tile{sizes=32,8},poly-print-loops" | filecheck %s --check-prefix=BAND
// RUN: polyopt-opt %s -p "poly-schedule,poly-tile{sizes=1,8 points=source},poly-print-loops" | filecheck %s --check-prefix=SOURCE

func.func @product(%C : memref<?x100xf64>, %A : memref<?x100xf64>, %B : memref<?x100xf64>, %n : index) {
  poly.scop "product" params(%n) ["n"] arrays(%C, %A, %B : memref<?x100xf64>, memref<?x100xf64>, memref<?x100xf64>) ["C", "A", "B"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i, k, j] : 0 <= i, k, j < n }\", child: { schedule: \"[{ S[i, k, j] -> [i] }, { S[i, k, j] -> [k] }, { S[i, k, j] -> [j] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, k, j] : 0 <= i, k, j < n }"> iterators ["i", "k", "j"] {
    ^bb0(%i : index, %k : index, %j : index):
      %c = poly.read %C <"{ S[i, k, j] -> C[i, j] }"> : memref<?x100xf64>
      %a = poly.read %A <"{ S[i, k, j] -> A[i, k] }"> : memref<?x100xf64>
      %b = poly.read %B <"{ S[i, k, j] -> B[k, j] }"> : memref<?x100xf64>
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      poly.write %s, %C <"{ S[i, k, j] -> C[i, j] }"> : memref<?x100xf64>
    }
  }
  func.return
}

// BAND:      for (c0 = 0; c0 < n; c0 += 32) // tile, parallel
// BAND-NEXT:   for (c1 = 0; c1 < n; c1 += 8) // tile, parallel
// BAND-NEXT:     for (c2 = 0; c2 < n; c2 += 8) // tile
// BAND-NEXT:       for (c3 = c0; c3 < min(n, c0 + 32); c3++) // point, parallel
// BAND-NEXT:         for (c4 = c1; c4 < min(n, c1 + 8); c4++) // point, parallel
// BAND-NEXT:           for (c5 = c2; c5 < min(n, c2 + 8); c5++) // point
// BAND-NEXT:             S(c3, c5, c4);

// SOURCE:      for (c0 = 0; c0 < n; c0 += 8) // tile, parallel
// SOURCE-NEXT:   for (c1 = 0; c1 < n; c1 += 8) // tile
// SOURCE-NEXT:     for (c2 = 0; c2 < n; c2++) // point, parallel
// SOURCE-NEXT:       for (c3 = c1; c3 < min(n, c1 + 8); c3++) // point
// SOURCE-NEXT:         for (c4 = c0; c4 < min(n, c0 + 8); c4++) // point, parallel
// SOURCE-NEXT:           S(c2, c3, c4);
