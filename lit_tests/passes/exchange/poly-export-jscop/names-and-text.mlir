// A SCoP as Polly's JSON; the module stays as it is.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: polyopt-opt %s -p 'poly-export-jscop{dir="-"}' | filecheck %s
// RUN: polyopt-opt %s -p 'poly-export-jscop{dir=out postfix=x},poly-import-jscop{dir=out postfix=x}' && filecheck %s --input-file out/two___two.jscop.x --check-prefix=FILE
// RUN: not polyopt-opt %s -p 'poly-export-jscop{scop=three}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not polyopt-opt %s -p 'poly-export-jscop{like="no-such.jscop"}' 2>&1 | filecheck %s --check-prefix=LIKE

func.func @two(%A : memref<?xf64>, %B : memref<?xf64>, %C : memref<?x20xf32>, %n : index) {
  poly.scop "two" params(%n) ["n"] arrays(%A, %B, %C : memref<?xf64>, memref<?xf64>, memref<?x20xf32>) ["A", "B", "C"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j < 20 }\", child: { sequence: [ { filter: \"{ S[i] }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }, { filter: \"{ T[i, j] }\", child: { schedule: \"[{ T[i, j] -> [i] }, { T[i, j] -> [j] }]\" } } ] } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %a = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
      poly.write %a, %B <"{ S[i] -> B[i] }"> : memref<?xf64>
    } loc("two.c":3:5)
    poly.stmt "T" domain <"[n] -> { T[i, j] : 0 <= i < n and 0 <= j < 20 }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %b = poly.read %B <"{ T[i, j] -> B[i] }"> : memref<?xf64>
      %c = arith.truncf %b : f64 to f32
      poly.write %c, %C <"{ T[i, j] -> C[i, j] }"> : memref<?x20xf32>
    } loc("two.c":6:7)
  } loc("two.c":2:3)
  func.return
}

// CHECK:      "arrays": [
// CHECK:            "name": "C",
// CHECK-NEXT:       "sizes": [
// CHECK-NEXT:          "*",
// CHECK-NEXT:          "20"
// CHECK-NEXT:       ],
// CHECK-NEXT:       "type": "float"
// CHECK:         "context": "[n] -> {  : n > 0 }",
// CHECK-NEXT:    "location": "two.c:2-6",
// CHECK-NEXT:    "name": "two",
// CHECK:                  "kind": "write",
// CHECK-NEXT:             "relation": "[n] -> { S[i] -> B[i] }"
// CHECK:            "domain": "[n] -> { S[i] : 0 <= i < n }",
// CHECK-NEXT:       "name": "S",
// CHECK-NEXT:       "schedule": "[n] -> { S[i] -> [0, i, 0] }"
// CHECK:            "schedule": "[n] -> { T[i, j] -> [1, i, j] }"
// CHECK:      builtin.module {

// FILE: "name": "two"

// NAME: error: there is no SCoP named 'three'
// NAME-NEXT: hint: SCoPs here: two

// LIKE: error: no-such.jscop: No such file or directory
