// What cannot be said is told in the place of the answer: of a tree with instances of its own nothing is known of loops
// before they are generated; isl generates none for a tree with conditions of its own.
// RUN: polyopt-opt %s -p poly-print-parallelism | filecheck %s --check-prefix=TREE
// RUN: polyopt-opt %s -p 'poly-print-image{at=tile}' | filecheck %s --check-prefix=TREE
// RUN: not polyopt-opt %s -p 'poly-print-image{arrays="B"}' 2>&1 | filecheck %s --check-prefix=ARRAY
// RUN: polyopt-opt %s -p print-dependence-tests | filecheck %s --check-prefix=TREE
// RUN: polyopt-opt %s -p poly-print-loops | filecheck %s --check-prefix=LOOPS
// RUN: polyopt-opt %s -p poly-print-strides | filecheck %s --check-prefix=LOOPS

// TREE:       // {{.*}}its schedule tree has a node of kind extension
// ARRAY:      error: poly-print-image: no static control part has an array 'B'
// LOOPS:      // guarded:
// LOOPS-NEXT: //   not known: there are no loops that run it in this order

func.func @extended(%A : memref<?xf64>, %n : index) {
  poly.scop "extended" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { extension: \"{ [] -> T[] }\", child: { sequence: [ { filter: \"{ T[] }\" }, { filter: \"{ S[i] }\", child: { schedule: \"[{ S[i] -> [i] }]\" } } ] } } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

func.func @guarded(%A : memref<?xf64>, %n : index) {
  poly.scop "guarded" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { guard: \"[n] -> { : n > 3 }\", child: { schedule: \"[{ S[i] -> [i] }]\" } } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %x = arith.constant 1.0 : f64
      poly.write %x, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}
