// A SCoP as input for CLooG: a domain for each statement, and as many dates in each; the shorter statement counts no second loop.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: polyopt-opt %s -p 'poly-export-cloog{dir="-"}' | filecheck %s

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

// CHECK:      # Context
// CHECK-NEXT: 1 3 0 0 0 1
// CHECK-NEXT:      1    1   -1
// CHECK:      # Number of statements
// CHECK-NEXT: 2
// CHECK:      # S(i);
// CHECK-NEXT: # Number of parts of the domain
// CHECK-NEXT: 1
// CHECK-NEXT: 2 4 1 0 0 1
// CHECK-NEXT:      1    1    0    0
// CHECK-NEXT:      1   -1    1   -1
// CHECK-NEXT: 0 0 0
// CHECK:      # Scatterings
// CHECK-NEXT: 2
// CHECK:      5 9 5 1 0 1
// CHECK:      5 10 5 2 0 1
// CHECK-NEXT:      0   -1    0    0    0    0    0    0    0    1
