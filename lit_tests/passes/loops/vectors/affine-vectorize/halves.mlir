// Where an operation on a whole line takes as long as two on halves, a short row of known length is in
// vectors that it fills: twelve doubles are three times four. Elsewhere, and where the length is not
// known, what whole vectors leave is under a mask.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="znver4+avx512dq"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march=x86-64-v4}' | filecheck %s --check-prefix=LINES

// CHECK-LABEL: func.func @twelve
// CHECK:         vector<4xf64>
// CHECK-NOT:     vector<8xf64>
// LINES-LABEL: func.func @twelve
// LINES:         vector<8xf64>
func.func @twelve(%A : memref<?x12xf64> {llvm.noalias}, %B : memref<?x12xf64> {llvm.noalias}, %i : index) {
  affine.for %j = 0 to 12 {
    %a = affine.load %A[%i, %j] : memref<?x12xf64>
    %b = arith.mulf %a, %a : f64
    affine.store %b, %B[%i, %j] : memref<?x12xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// Thirteen end under a mask either way.
// CHECK-LABEL: func.func @thirteen
// CHECK:         vector<8xf64>
func.func @thirteen(%A : memref<?x13xf64> {llvm.noalias}, %B : memref<?x13xf64> {llvm.noalias}, %i : index) {
  affine.for %j = 0 to 13 {
    %a = affine.load %A[%i, %j] : memref<?x13xf64>
    %b = arith.mulf %a, %a : f64
    affine.store %b, %B[%i, %j] : memref<?x13xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @unknown
// CHECK:         vector<8xf64>
func.func @unknown(%A : memref<?x12xf64> {llvm.noalias}, %B : memref<?x12xf64> {llvm.noalias}, %i : index, %n : index) {
  affine.for %j = 0 to %n {
    %a = affine.load %A[%i, %j] : memref<?x12xf64>
    %b = arith.mulf %a, %a : f64
    affine.store %b, %B[%i, %j] : memref<?x12xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @long
// CHECK:         vector<8xf64>
func.func @long(%A : memref<?x44xf64> {llvm.noalias}, %B : memref<?x44xf64> {llvm.noalias}, %i : index) {
  affine.for %j = 0 to 44 {
    %a = affine.load %A[%i, %j] : memref<?x44xf64>
    %b = arith.mulf %a, %a : f64
    affine.store %b, %B[%i, %j] : memref<?x44xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
