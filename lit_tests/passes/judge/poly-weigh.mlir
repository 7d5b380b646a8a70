// RUN: polyopt-opt %s -p 'poly-weigh{march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'poly-weigh{march="x86-64-v3" operations=1}' | filecheck %s --check-prefix=BUDGET

// A SCoP on trial is told for how many iterations its loops were weighed and what they cost, in cycles of
// the core and of memory; one that is not on trial, and what no budget allows to weigh, is not.

// CHECK-LABEL: func.func @trial
// CHECK:         poly.pays "trial" params(%n) {expected = array<i64: {{[0-9]+}}>, source = array<f64: {{.*}}>}
// CHECK-LABEL: func.func @alone
// CHECK-NOT:     poly.pays
// BUDGET-LABEL: func.func @trial
// BUDGET:         poly.pays "trial" params(%n){{$}}
func.func @trial(%A : memref<?xf64>, %n : index, %x : f64) {
  %p = poly.pays "trial" params(%n)
  cf.cond_br %p, ^scop, ^original
^scop:
  poly.scop "trial" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %two = arith.constant 2.0 : f64
      poly.write %two, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  cf.br ^after
^original:
  cf.br ^after
^after:
  func.return
}

func.func @alone(%A : memref<?xf64>, %n : index) {
  poly.scop "alone" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %two = arith.constant 2.0 : f64
      poly.write %two, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}
