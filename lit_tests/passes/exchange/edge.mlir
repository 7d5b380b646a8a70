// At the edges: a statement in no loop, on an array without dimensions, of no parameters; and one that
// never runs, whose domain every format says with its parameter.
// RUN: polyopt-opt %s -p 'poly-export-cloog{dir="-"}' | filecheck %s --check-prefix=CLOOG
// RUN: polyopt-opt %s -p 'poly-export-dot{dir="-"}' | filecheck %s --check-prefix=DOT
// RUN: polyopt-opt %s -p 'poly-export-openscop{dir="-"}' | filecheck %s --check-prefix=OPENSCOP
// RUN: polyopt-opt %s -p 'poly-export-scoplib{dir="-"}' | filecheck %s --check-prefix=SCOPLIB
// RUN: polyopt-opt %s -p 'poly-export-jscop{dir="-"}' | filecheck %s --check-prefix=JSCOP
// RUN: polyopt-opt %s -p 'poly-export-schedule{dir="-"}' | filecheck %s --check-prefix=SCHEDULE
// RUN: rm -rf %t
// RUN: polyopt-opt %s -p 'poly-export-jscop{dir="%t"},poly-import-jscop{dir="%t"}' | filecheck %s --check-prefix=BACK
// RUN: polyopt-opt %s -p 'poly-export-openscop{dir="%t"},poly-import-openscop{dir="%t"}' | filecheck %s --check-prefix=BACK
// RUN: polyopt-opt %s -p 'poly-export-scoplib{dir="%t"},poly-import-scoplib{dir="%t"}' | filecheck %s --check-prefix=BACK
// RUN: polyopt-opt %s -p 'poly-export-schedule{dir="%t"},poly-import-schedule{dir="%t"}' | filecheck %s --check-prefix=BACK

// What is read back has the same instances; those that never run need no order.
// BACK: poly.scop "point" {{.*}} schedule <"{ domain: \22{ S[] }\22
// BACK: poly.scop "never" {{.*}} schedule <"{ domain: \22[n] -> { S[i] : 0 <= i < n }\22

// No rows: all of a space without dimensions. Dates are one constant, or three of which one is i.
// CLOOG:      # Context
// CLOOG-NEXT: 0 2 0 0 0 0
// CLOOG:      # S();
// CLOOG:      # Scatterings
// CLOOG:      1 3 1 0 0 0
// CLOOG-NEXT:      0   -1    0
// CLOOG:      # Context
// CLOOG-NEXT: 1 3 0 0 0 1
// CLOOG-NEXT:      1   -1   -1
// CLOOG:      # S(i);

// A band without members is no node.
// DOT:      digraph "point" {
// DOT-NEXT:   node
// DOT-NEXT:   "n0" [label="{ S[] }\l", shape="box", style="rounded"];
// DOT-NEXT: }
// DOT:      digraph "never" {
// DOT:        "n0" [label="band\lS[i] -> [(i)]\l", shape="box"];

// OPENSCOP:      CONTEXT
// OPENSCOP-NEXT: 0 2 0 0 0 0
// OPENSCOP:      DOMAIN
// OPENSCOP-NEXT: 0 2 0 0 0 0
// OPENSCOP:      S();
// OPENSCOP:      CONTEXT
// OPENSCOP-NEXT: 1 3 0 0 0 1
// OPENSCOP:      S(i);

// SCOPLIB:      # Iteration domain
// SCOPLIB-NEXT: 1
// SCOPLIB-NEXT: 0 2
// SCOPLIB:      S();
// SCOPLIB:      # Iteration domain
// SCOPLIB-NEXT: 1
// SCOPLIB-NEXT: 2 4
// SCOPLIB:      S(i);

// JSCOP:      "sizes": [],
// JSCOP:      "relation": "{ S[] -> s[] }"
// JSCOP:      "schedule": "{ S[] -> [] }"
// JSCOP:      "context": "[n] -> {  : n < 0 }",
// JSCOP:      "schedule": "[n] -> { S[i] -> [i] }"

// SCHEDULE:      domain: "{ S[] }"
// SCHEDULE-NEXT: domain: "[n] -> { S[i] : 0 <= i < n }"
// SCHEDULE-NEXT: child:

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
