// A truth value is a byte in memory and a bit of a vector: arrays of them are not read or written as
// vectors.
// RUN: polyopt-opt %s -p 'affine-vectorize{march=x86-64-v4}' | filecheck %s

func.func @stored(%n : index, %A : memref<?xf64> {llvm.noalias}, %T : memref<?xi1> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %c = arith.cmpf ogt, %a, %zero : f64
    affine.store %c, %T[%i] : memref<?xi1>
  } {poly.loop = #poly.loop<parallel, iterator = "i", vectors>}
  func.return
}

// CHECK-LABEL: func.func @stored
// CHECK-NOT:     vector<
// CHECK:         func.return

func.func @loaded(%n : index, %A : memref<?xf64> {llvm.noalias}, %T : memref<?xi1> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %c = affine.load %T[%i] : memref<?xi1>
    %v = arith.select %c, %a, %zero : f64
    affine.store %v, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "i", vectors>}
  func.return
}

// CHECK-LABEL: func.func @loaded
// CHECK-NOT:     vector<
// CHECK:         func.return
