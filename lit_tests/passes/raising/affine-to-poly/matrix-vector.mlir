// A module that no C front end made: y = A x, with the sum carried by the inner loop.
// The sum becomes an array of no dimensions that is dead after the SCoP; from here on everything
// works as for C.
// RUN: polyopt-opt %s -p "affine-to-poly{assume-distinct=true}" | filecheck %s
// RUN: polyopt-opt %s -p "affine-to-poly{assume-distinct=true},poly-schedule,poly-tile,poly-to-affine,affine-to-scf" | filecheck %s --check-prefix=LOOPS
// RUN: polyopt-opt %s -p affine-to-poly | filecheck %s --check-prefix=OVERLAP

func.func @product(%A : memref<?x64xf64>, %x : memref<?xf64>, %y : memref<?xf64>, %n : index) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    %sum = affine.for %j = 0 to 64 iter_args(%s = %zero) -> (f64) {
      %a = affine.load %A[%i, %j] : memref<?x64xf64>
      %b = affine.load %x[%j] : memref<?xf64>
      %p = arith.mulf %a, %b : f64
      %t = arith.addf %s, %p : f64
      affine.yield %t : f64
    }
    affine.store %sum, %y[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @product
// CHECK:         poly.scop "product" params(%n) ["n"] arrays({{.*}}) ["sum", "A", "x", "y"] local ["sum"]
// CHECK-NEXT:      poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        poly.write %zero, %{{.*}} <"[n] -> { S[i] -> sum[] }"> : memref<f64>
// CHECK:           poly.stmt "S_1" domain <"[n] -> { S_1[i, j] : 0 <= i < n and 0 <= j <= 63 }"> iterators ["i", "j"] {
// CHECK:           poly.stmt "S_2" domain <"[n] -> { S_2[i] : 0 <= i < n }"> iterators ["i"] {
// CHECK-NEXT:      ^bb0(%i_{{.*}}: index):
// CHECK-NEXT:        %{{.*}} = poly.read %{{.*}} <"[n] -> { S_2[i] -> sum[] }"> : memref<f64>
// CHECK-NEXT:        poly.write %{{.*}}, %{{.*}} <"[n] -> { S_2[i] -> y[i] }"> : memref<?xf64>

// LOOPS-NOT: affine.
// LOOPS-NOT: poly.scop

// Without the promise, y may overlap A: only the inner loop, which writes nothing else, is a SCoP.
// OVERLAP:      affine.for %i = 0 to %n {
// OVERLAP:        poly.scop "product" params(%i) ["i"] arrays({{.*}}) ["sum", "A", "x"] context
// OVERLAP:        affine.store %{{.*}}, %y[%i] : memref<?xf64>
