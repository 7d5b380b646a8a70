// Iterations that need the one before, and sums whose order counts, stay as they are.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s

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

// The outer loop ends at a quotient; the one in its conditional is innermost.

func.func @half(%n : index, %A : memref<?xf64> {llvm.noalias}, %c : i1) {
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to affine_map<()[s0] -> (s0 floordiv 2)>()[%n] {
    scf.if %c {
      affine.for %j = 0 to %n {
        affine.store %one, %A[%j] : memref<?xf64>
      } {poly.loop = #poly.loop<parallel, iterator = "j", nontemporal = [0], vectors>}
    }
  }
  func.return
}

// CHECK-LABEL: func.func @half
// CHECK:         affine.for %i
// CHECK:           scf.if %c
// CHECK:             vector<4xf64>
