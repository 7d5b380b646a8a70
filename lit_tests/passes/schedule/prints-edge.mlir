// At the edges: a statement in no loop, on an array without dimensions, and one that never runs: it has neither dependences nor loops.
// RUN: polyopt-opt %s -p poly-print-dependences | filecheck %s --check-prefix=DEPENDENCES
// RUN: polyopt-opt %s -p poly-print-parallelism | filecheck %s --check-prefix=PARALLELISM
// RUN: polyopt-opt %s -p poly-print-image | filecheck %s --check-prefix=IMAGE
// RUN: polyopt-opt %s -p poly-print-loops | filecheck %s --check-prefix=LOOPS
// RUN: polyopt-opt %s -p poly-print-strides | filecheck %s --check-prefix=STRIDES
// RUN: polyopt-opt %s -p print-dependence-tests | filecheck %s --check-prefix=TESTS

// DEPENDENCES:      // point: live-in
// DEPENDENCES-NEXT: //   { S[] -> s[] }
// DEPENDENCES-NEXT: // point: live-out
// DEPENDENCES-NEXT: //   { S[] -> s[] }
// DEPENDENCES-NEXT: builtin.module

// PARALLELISM:      // point: schedule
// PARALLELISM-NEXT: // never: schedule
// PARALLELISM-NEXT: //   i of S: doall

// IMAGE:      // point: read by the scop
// IMAGE-NEXT: //   { s[] }
// IMAGE-NEXT: //   s();
// IMAGE-NEXT: // point: written by the scop
// IMAGE-NEXT: //   { s[] }
// IMAGE-NEXT: //   s();
// IMAGE-NEXT: builtin.module

// LOOPS:      // point:
// LOOPS-NEXT: //   S();
// LOOPS-NEXT: // never:
// LOOPS-NEXT: builtin.module

// STRIDES:      // point:
// STRIDES-NEXT: // never:
// STRIDES-NEXT: builtin.module

// TESTS:      // point: s read in S and s written in S, ziv: dependent
// TESTS-NEXT: // never: A written in S and A written in S, siv: unknown

func.func @point(%s : memref<f64>) {
  poly.scop "point" params() [] arrays(%s : memref<f64>) ["s"]
    context <"{ : }">
    schedule <"{ domain: \"{ S[] }\" }">
  {
    poly.stmt "S" domain <"{ S[] }"> {
      %x = poly.read %s <"{ S[] -> s[] }"> : memref<f64>
      %y = arith.addf %x, %x : f64
      poly.write %y, %s <"{ S[] -> s[] }"> : memref<f64>
    }
  }
  func.return
}

func.func @never(%A : memref<?xf64>, %n : index) {
  poly.scop "never" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n < 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}
