// A sum of as many terms as a vector has lanes is taken in two halves: the second's multiplication adds them up. Twice as many terms
// and a row that is only stored take whole vectors.
// RUN: polyopt-opt %s -p 'affine-vectorize{march=x86-64-v4}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march=x86-64-v3}' | filecheck %s --check-prefix=V3

// CHECK-LABEL: func.func @eight
// CHECK:         vector<4xf64>
// CHECK-NOT:     vector<8xf64>
// V3-LABEL:    func.func @eight
// V3:            vector<4xf64>
func.func @eight(%A : memref<?x8xf64> {llvm.noalias}, %S : memref<?xf64> {llvm.noalias}, %i : index) {
  affine.for %j = 0 to 8 {
    %a = affine.load %A[%i, %j] : memref<?x8xf64>
    %b = arith.mulf %a, %a fastmath<fast> : f64
    %s = affine.load %S[%i] : memref<?xf64>
    %t = arith.addf %s, %b fastmath<fast> : f64
    affine.store %t, %S[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<reduces = ["S"]>}
  func.return
}

// CHECK-LABEL: func.func @sixteen
// CHECK:         vector<8xf64>
func.func @sixteen(%A : memref<?x16xf64> {llvm.noalias}, %S : memref<?xf64> {llvm.noalias}, %i : index) {
  affine.for %j = 0 to 16 {
    %a = affine.load %A[%i, %j] : memref<?x16xf64>
    %b = arith.mulf %a, %a fastmath<fast> : f64
    %s = affine.load %S[%i] : memref<?xf64>
    %t = arith.addf %s, %b fastmath<fast> : f64
    affine.store %t, %S[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<reduces = ["S"]>}
  func.return
}

// CHECK-LABEL: func.func @row
// CHECK:         vector<8xf64>
func.func @row(%A : memref<?x8xf64> {llvm.noalias}, %B : memref<?x8xf64> {llvm.noalias}, %i : index) {
  affine.for %j = 0 to 8 {
    %a = affine.load %A[%i, %j] : memref<?x8xf64>
    %b = arith.mulf %a, %a fastmath<fast> : f64
    affine.store %b, %B[%i, %j] : memref<?x8xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
