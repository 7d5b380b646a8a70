// The initialisation and the accumulation of a product, fused in one band, are cut apart.
// RUN: polyopt-opt %s -p "poly-schedule,poly-expose-contractions,poly-print-loops" | filecheck %s

func.func @product(%C : memref<?x100xf64>, %A : memref<?x100xf64>, %B : memref<?x100xf64>, %n : index, %z : f64) {
  poly.scop "product" params(%n) ["n"] arrays(%C, %A, %B : memref<?x100xf64>, memref<?x100xf64>, memref<?x100xf64>) ["C", "A", "B"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i, j] : 0 <= i, j < n; T[i, j, k] : 0 <= i, j, k < n }\", child: { schedule: \"[{ S[i, j] -> [i]; T[i, j, k] -> [i] }, { S[i, j] -> [j]; T[i, j, k] -> [j] }]\", child: { sequence: [ { filter: \"{ S[i, j] }\" }, { filter: \"{ T[i, j, k] }\", child: { schedule: \"[{ T[i, j, k] -> [k] }]\" } } ] } } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i, j < n }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      poly.write %z, %C <"{ S[i, j] -> C[i, j] }"> : memref<?x100xf64>
    }
    poly.stmt "T" domain <"[n] -> { T[i, j, k] : 0 <= i, j, k < n }"> iterators ["i", "j", "k"] {
    ^bb0(%i : index, %j : index, %k : index):
      %c = poly.read %C <"{ T[i, j, k] -> C[i, j] }"> : memref<?x100xf64>
      %a = poly.read %A <"{ T[i, j, k] -> A[i, k] }"> : memref<?x100xf64>
      %b = poly.read %B <"{ T[i, j, k] -> B[k, j] }"> : memref<?x100xf64>
      %p = arith.mulf %a, %b : f64
      %s = arith.addf %c, %p : f64
      poly.write %s, %C <"{ T[i, j, k] -> C[i, j] }"> : memref<?x100xf64>
    }
  }
  func.return
}

// CHECK:      for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT:   for (c1 = 0; c1 < n; c1++) // parallel
// CHECK-NEXT:     S(c0, c1);
// CHECK-NEXT: for (c0 = 0; c0 < n; c0++) // contract, parallel
// CHECK-NEXT:   for (c1 = 0; c1 < n; c1++) // contract, parallel
// CHECK-NEXT:     for (c2 = 0; c2 < n; c2++) // contract
// CHECK-NEXT:       T(c0, c1, c2);
