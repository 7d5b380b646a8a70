// Refused: a name that no SCoP has, and by all that say orders as dates or as our trees, a schedule tree that brings
// instances of its own.
// RUN: not polyopt-opt %s -p 'poly-export-cloog{dir="-" scop=other}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not polyopt-opt %s -p 'poly-export-dot{dir="-" scop=other}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not polyopt-opt %s -p 'poly-export-openscop{dir="-" scop=other}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not polyopt-opt %s -p 'poly-export-scoplib{dir="-" scop=other}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not polyopt-opt %s -p 'poly-export-jscop{dir="-" scop=other}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not polyopt-opt %s -p 'poly-export-schedule{dir="-" scop=other}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not polyopt-opt %s -p 'poly-export-cloog{dir="-"}' 2>&1 | filecheck %s --check-prefix=TREE
// RUN: not polyopt-opt %s -p 'poly-export-dot{dir="-"}' 2>&1 | filecheck %s --check-prefix=TREE
// RUN: not polyopt-opt %s -p 'poly-export-openscop{dir="-"}' 2>&1 | filecheck %s --check-prefix=TREE
// RUN: not polyopt-opt %s -p 'poly-export-scoplib{dir="-"}' 2>&1 | filecheck %s --check-prefix=TREE
// RUN: not polyopt-opt %s -p 'poly-export-jscop{dir="-"}' 2>&1 | filecheck %s --check-prefix=TREE

// NAME:      error: there is no SCoP named 'other'
// NAME-NEXT: hint: SCoPs here: extended
// TREE:      error: SCoP 'extended' cannot be {{.*}}: its schedule tree has a node of kind extension

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
