// A SCoP in the ScopLib format: matrices without unions, one row for each date and subscript.
// RUN: polyopt-opt %s -p 'poly-export-scoplib{dir="-"}' | filecheck %s
// RUN: sed 's/S\[i\] : 0 <= i < n/S[i] : 0 <= i < n and i mod 3 = 1/' %s > %t.mlir
// RUN: not polyopt-opt %t.mlir -p 'poly-export-scoplib{dir="-"}' 2>&1 | filecheck %s --check-prefix=STEPS

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

// CHECK:      SCoP
// CHECK:      # Context
// CHECK-NEXT: 1 3
// CHECK-NEXT:      1    1   -1
// CHECK:      # Parameter names are provided
// CHECK-NEXT: 1
// CHECK-NEXT: # Parameter names
// CHECK-NEXT: n
// CHECK:      # Number of statements
// CHECK-NEXT: 2
// CHECK:      # Iteration domain
// CHECK-NEXT: 1
// CHECK-NEXT: 2 4
// CHECK-NEXT:      1    1    0    0
// CHECK-NEXT:      1   -1    1   -1
// CHECK:      # Scattering function is provided
// CHECK-NEXT: 1
// CHECK-NEXT: # Scattering function
// CHECK-NEXT: 3 4
// CHECK-NEXT:      0    0    0    0
// CHECK-NEXT:      0    1    0    0
// CHECK-NEXT:      0    0    0    0
// CHECK:      # Read access informations
// CHECK-NEXT: 1 4
// CHECK-NEXT:      1    1    0    0
// CHECK-NEXT: # Write access informations
// CHECK-NEXT: 1 4
// CHECK-NEXT:      2    1    0    0
// CHECK:      S(i);
// CHECK:      # Write access informations
// CHECK-NEXT: 2 5
// CHECK-NEXT:      3    1    0    0    0
// CHECK-NEXT:      0    0    1    0    0
// CHECK:      <arrays>
// CHECK-NEXT: 3
// CHECK:      3 C

// STEPS: error: SCoP 'two' is nothing for ScopLib: not all counters of S(i); are in the domain
