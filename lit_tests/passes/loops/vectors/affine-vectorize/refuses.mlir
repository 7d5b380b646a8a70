// Iterations that need the one before, and sums whose order counts, stay as they are.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"}' | filecheck %s

func.func @recurrence(%n : index, %A : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    %x = affine.load %A[%i - 1] : memref<?xf64>
    %y = affine.load %A[%i] : memref<?xf64>
    %s = arith.addf %x, %y : f64
    affine.store %s, %A[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @recurrence
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NEXT:      affine.load %A[%i + -1]
// CHECK-NOT:     vector

func.func @sum(%n : index, %S : memref<f64> {llvm.noalias}, %A : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %s = affine.load %S[] : memref<f64>
    %a = affine.load %A[%i] : memref<?xf64>
    %t = arith.addf %s, %a : f64
    affine.store %t, %S[] : memref<f64>
  }
  func.return
}

// CHECK-LABEL: func.func @sum
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      affine.load %S[]
// CHECK-NOT:     vector
