// Rows of one array that are columns of another: squares, transposed in registers.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"}' | filecheck %s

func.func @transpose(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      affine.store %a, %B[%j, %i] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @transpose
// CHECK-NEXT:    affine.for %strip = 0 to affine_map<(d0) -> (d0)>(%m) step 64 {
// CHECK-NEXT:      affine.for %i = 0 to affine_map<(d0) -> (d0)>(%n) step 4 {
// CHECK:             affine.for %v
// CHECK-NEXT:          [[A:%.*]] = affine.vector_load %A[%i, %v]
// CHECK-NEXT:          [[B:%.*]] = affine.vector_load %A[%i + 1, %v]
// CHECK-NEXT:          [[C:%.*]] = affine.vector_load %A[%i + 2, %v]
// CHECK-NEXT:          [[D:%.*]] = affine.vector_load %A[%i + 3, %v]
// CHECK-NEXT:          [[E:%.*]] = vector.shuffle [[A]], [[C]] [0, 1, 4, 5]
// CHECK-NEXT:          [[F:%.*]] = vector.shuffle [[A]], [[C]] [2, 3, 6, 7]
// CHECK-NEXT:          [[G:%.*]] = vector.shuffle [[B]], [[D]] [0, 1, 4, 5]
// CHECK-NEXT:          [[H:%.*]] = vector.shuffle [[B]], [[D]] [2, 3, 6, 7]
// CHECK-NEXT:          [[P:%.*]] = vector.shuffle [[E]], [[G]] [0, 4, 2, 6]
// CHECK-NEXT:          [[Q:%.*]] = vector.shuffle [[E]], [[G]] [1, 5, 3, 7]
// CHECK-NEXT:          [[R:%.*]] = vector.shuffle [[F]], [[H]] [0, 4, 2, 6]
// CHECK-NEXT:          [[S:%.*]] = vector.shuffle [[F]], [[H]] [1, 5, 3, 7]
// CHECK-NEXT:          affine.vector_store [[P]], %B[%v, %i]
// CHECK-NEXT:          affine.vector_store [[Q]], %B[%v + 1, %i]
// CHECK-NEXT:          affine.vector_store [[R]], %B[%v + 2, %i]
// CHECK-NEXT:          affine.vector_store [[S]], %B[%v + 3, %i]
