// What stands against vectors is told where somebody asks: of loops that are none, in words of the
// loops; of what becomes vectors, and of what carries a dependence, which is told of the source,
// nothing.
// RUN: polyopt-opt %s --remarks -p "affine-vectorize{march=x86-64-v3}" 2>&1 | filecheck %s

// CHECK-NOT: vectors_of
// CHECK: why-not.mlir:[[#]]:{{.*}}no vectors: neighbouring iterations touch X in different rows, and scattering them costs more than it gains [no-vectors-cost]
// CHECK: no vectors: neighbouring iterations touch B in different rows, and no instruction gathers elements of 1 byte [no-vectors-elements]
// CHECK: no vectors: the division of integers has no vector form [no-vectors-operations]
// CHECK: no vectors: a value goes from iteration to iteration [no-vectors-values]
// CHECK: no vectors: the call of elsewhere has no vector form [no-vectors-calls]
// CHECK: no vectors: all iterations write the same element of s [no-vectors-results]
// CHECK-NOT: no vectors
func.func private @elsewhere(f64) -> f64
func.func @rows(%X: memref<?x25xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %X[%i, 4] : memref<?x25xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %X[%i, 4] : memref<?x25xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
func.func @bytes(%B: memref<?x25xi8>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %B[%i, 4] : memref<?x25xi8>
    %y = arith.addi %x, %x : i8
    affine.store %y, %B[%i, 4] : memref<?x25xi8>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
func.func @quotients(%X: memref<?xi64>, %Y: memref<?xi64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %X[%i] : memref<?xi64>
    %y = affine.load %Y[%i] : memref<?xi64>
    %z = arith.divsi %x, %y : i64
    affine.store %z, %X[%i] : memref<?xi64>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
func.func @values(%X: memref<?xf64>, %n: index, %a: f64) {
  %r = affine.for %i = 0 to %n iter_args(%b = %a) -> (f64) {
    affine.store %b, %X[%i] : memref<?xf64>
    %c = arith.addf %b, %b : f64
    affine.yield %c : f64
  }
  func.return
}
func.func @calls(%X: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %X[%i] : memref<?xf64>
    %y = func.call @elsewhere(%x) : (f64) -> f64
    affine.store %y, %X[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
func.func @last_one(%X: memref<?xf64>, %s: memref<f64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %X[%i] : memref<?xf64>
    affine.store %x, %s[] : memref<f64>
  }
  func.return
}
func.func @in_vectors(%X: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %X[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %X[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
func.func @carried(%X: memref<?xf64>, %n: index) {
  affine.for %i = 1 to %n {
    %x = affine.load %X[%i - 1] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %X[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}
