// C[i][j] += A[i][k] * B[k][j]
// The sum over k is an order that must be kept, unless the module permits other orders of
// floating-point operations.
// RUN: polyopt-opt %s -p poly-schedule,poly-print-loops | filecheck %s --check-prefix=STRICT
// RUN: sed 's/^builtin.module/builtin.module attributes {polyopt.fastmath = #arith.fastmath<reassoc>}/' %s | polyopt-opt -p poly-schedule,poly-print-loops | filecheck %s --check-prefix=FAST

builtin.module {
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
}

// STRICT:     // parallel
// STRICT-NOT: reduction

// FAST: reduction(C)
