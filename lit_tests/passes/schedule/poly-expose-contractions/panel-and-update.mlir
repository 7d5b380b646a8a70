// An elimination (the heart of a factorisation) in blocks of 16 steps: first what the block's rows
// and columns need, then the update of all that lies below and to the right, a product.
// RUN: polyopt-opt %s -p "poly-expose-contractions{block=16},poly-print-loops" | filecheck %s

func.func @eliminate(%A : memref<?x100xf64>, %n : index) {
  poly.scop "eliminate" params(%n) ["n"] arrays(%A : memref<?x100xf64>) ["A"]
    context <"[n] -> { : n > 100 }">
    schedule <"{ domain: \"[n] -> { S[k, i, j] : 0 <= k < n and k < i < n and k < j < n }\", child: { schedule: \"[{ S[k, i, j] -> [k] }, { S[k, i, j] -> [i] }, { S[k, i, j] -> [j] }]\", permutable: 1 } }">
  {
    poly.stmt "S" domain <"[n] -> { S[k, i, j] : 0 <= k < n and k < i < n and k < j < n }"> iterators ["k", "i", "j"] {
    ^bb0(%k : index, %i : index, %j : index):
      %c = poly.read %A <"{ S[k, i, j] -> A[i, j] }"> : memref<?x100xf64>
      %a = poly.read %A <"{ S[k, i, j] -> A[i, k] }"> : memref<?x100xf64>
      %b = poly.read %A <"{ S[k, i, j] -> A[k, j] }"> : memref<?x100xf64>
      %p = arith.mulf %a, %b : f64
      %s = arith.subf %c, %p : f64
      poly.write %s, %A <"{ S[k, i, j] -> A[i, j] }"> : memref<?x100xf64>
    }
  }
  func.return
}

// CHECK:      for (c0 = 0; c0 < n - 1; c0 += 16) // tile
// CHECK-NEXT:   for (c1 = c0 + 1; c1 < n; c1++)
// CHECK-NEXT:     for (c2 = c0; c2 < min(
// CHECK:            S(c2, c1, c3);
// CHECK:        for (c1 = c0; c1 < c0 + 16; c1++) // contract
// CHECK-NEXT:     for (c2 = c0 + 16; c2 < n; c2++) // contract, parallel
// CHECK-NEXT:       for (c3 = c0 + 16; c3 < n; c3++) // contract, parallel
// CHECK-NEXT:         S(c1, c2, c3);
