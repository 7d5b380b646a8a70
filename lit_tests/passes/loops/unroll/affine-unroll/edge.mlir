// At the edges: no iteration, one, a step that does not divide the range, subscripts that go down, a
// value that is carried, an inner loop alone, a range that is not known.
// RUN: polyopt-opt %s -p 'affine-unroll' | filecheck %s

// No copy would be left to stand for it: the loop stays.
func.func @none(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 3 to 3 {
    affine.store %x, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<unroll>}
  func.return
}

// CHECK-LABEL: func.func @none(
// CHECK-NEXT:    affine.for %i = 3 to 3 {
// CHECK-NEXT:      affine.store %x, %A[%i] : memref<?xf64>
// CHECK-NEXT:    } {poly.loop = #poly.loop<unroll>}
// CHECK-NEXT:    func.return

func.func @one(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 7 to 8 {
    affine.store %x, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<unroll>}
  func.return
}

// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    affine.store %x, %A[7] : memref<?xf64>
// CHECK-NEXT:    func.return

// Iterations 0, 3 and 6.
func.func @step(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 0 to 7 step 3 {
    affine.store %x, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<unroll>}
  func.return
}

// CHECK-LABEL: func.func @step(
// CHECK-NEXT:    affine.store %x, %A[0] : memref<?xf64>
// CHECK-NEXT:    affine.store %x, %A[3] : memref<?xf64>
// CHECK-NEXT:    affine.store %x, %A[6] : memref<?xf64>
// CHECK-NEXT:    func.return

// In the order of the iterations.
func.func @backwards(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 0 to 2 {
    affine.store %x, %A[1 - %i] : memref<?xf64>
  } {poly.loop = #poly.loop<unroll>}
  func.return
}

// CHECK-LABEL: func.func @backwards(
// CHECK-NEXT:    affine.store %x, %A[1] : memref<?xf64>
// CHECK-NEXT:    affine.store %x, %A[0] : memref<?xf64>
// CHECK-NEXT:    func.return

// What is carried goes from copy to copy, and out of the last.
func.func @sum(%A : memref<?xf64>, %x : f64) -> f64 {
  %s = affine.for %i = 0 to 2 iter_args(%t = %x) -> (f64) {
    %a = affine.load %A[%i] : memref<?xf64>
    %u = arith.addf %t, %a : f64
    affine.yield %u : f64
  } {poly.loop = #poly.loop<unroll>}
  func.return %s : f64
}

// CHECK-LABEL: func.func @sum(
// CHECK-NEXT:    %a = affine.load %A[0] : memref<?xf64>
// CHECK-NEXT:    %u = arith.addf %x, %a : f64
// CHECK-NEXT:    %a_1 = affine.load %A[1] : memref<?xf64>
// CHECK-NEXT:    %u_1 = arith.addf %u, %a_1 : f64
// CHECK-NEXT:    func.return %u_1 : f64

// Only the inner loop is marked.
func.func @inner(%A : memref<?x?xf64>, %n : index, %x : f64) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 2 {
      affine.store %x, %A[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<unroll>}
  }
  func.return
}

// CHECK-LABEL: func.func @inner(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      affine.store %x, %A[%i, 0] : memref<?x?xf64>
// CHECK-NEXT:      affine.store %x, %A[%i, 1] : memref<?x?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// How many copies is not known.
func.func @unknown(%A : memref<?xf64>, %n : index, %x : f64) {
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<unroll>}
  func.return
}

// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      affine.store %x, %A[%i] : memref<?xf64>
// CHECK-NEXT:    } {poly.loop = #poly.loop<unroll>}
// CHECK-NEXT:    func.return
