// The loops of the schedule in the manner of C, with what is known of each.
// RUN: polyopt-opt %s -p poly-print-loops | filecheck %s

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

// CHECK:      // product:
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 0; c1 < n; c1++)
// CHECK-NEXT: //       for (c2 = 0; c2 < n; c2++) // parallel
// CHECK-NEXT: //         S(c0, c1, c2);
// CHECK-NEXT: builtin.module
