// Rows of one array that are columns of another: squares, transposed in registers. The last ones
// are moved back to end where the rows do.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s

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
// CHECK:         affine.for %j = 0 to affine_map<(d0) -> (d0)>(%m) step 4 {
// CHECK-NEXT:      [[J:%.*]] = affine.min affine_map<(d0, d1) -> (d0, (d1 + -4))> (%j, %m)
// CHECK-NEXT:      affine.for %i = 0 to affine_map<(d0) -> (d0)>(%n) step 4 {
// CHECK-NEXT:        [[I:%.*]] = affine.min affine_map<(d0, d1) -> (d0, (d1 + -4))> (%i, %n)
// CHECK-NEXT:        [[A:%.*]] = affine.vector_load %A{{\[}}[[I]], [[J]]]
// CHECK-NEXT:        [[B:%.*]] = affine.vector_load %A{{\[}}[[I]] + 1, [[J]]]
// CHECK-NEXT:        [[C:%.*]] = affine.vector_load %A{{\[}}[[I]] + 2, [[J]]]
// CHECK-NEXT:        [[D:%.*]] = affine.vector_load %A{{\[}}[[I]] + 3, [[J]]]
// CHECK-NEXT:        [[E:%.*]] = vector.shuffle [[A]], [[C]] [0, 1, 4, 5]
// CHECK-NEXT:        [[F:%.*]] = vector.shuffle [[A]], [[C]] [2, 3, 6, 7]
// CHECK-NEXT:        [[G:%.*]] = vector.shuffle [[B]], [[D]] [0, 1, 4, 5]
// CHECK-NEXT:        [[H:%.*]] = vector.shuffle [[B]], [[D]] [2, 3, 6, 7]
// CHECK-NEXT:        [[P:%.*]] = vector.shuffle [[E]], [[G]] [0, 4, 2, 6]
// CHECK-NEXT:        [[Q:%.*]] = vector.shuffle [[E]], [[G]] [1, 5, 3, 7]
// CHECK-NEXT:        [[R:%.*]] = vector.shuffle [[F]], [[H]] [0, 4, 2, 6]
// CHECK-NEXT:        [[S:%.*]] = vector.shuffle [[F]], [[H]] [1, 5, 3, 7]
// CHECK-NEXT:        affine.vector_store [[P]], %B{{\[}}[[J]], [[I]]]
// CHECK-NEXT:        affine.vector_store [[Q]], %B{{\[}}[[J]] + 1, [[I]]]
// CHECK-NEXT:        affine.vector_store [[R]], %B{{\[}}[[J]] + 2, [[I]]]
// CHECK-NEXT:        affine.vector_store [[S]], %B{{\[}}[[J]] + 3, [[I]]]

// Rows of one length, one after the other in an array without rows: of four elements or more.
func.func @planes(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i + %j * 4] : memref<?xf64>
      affine.store %a, %B[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @planes
// CHECK:         [[J:%.*]] = affine.min
// CHECK:         affine.vector_load %A[{{.*}}* 4{{.*}}] : memref<?xf64>, vector<4xf64>
// CHECK-COUNT-8: vector.shuffle

// Rows that overlap are none of a square.
func.func @windows(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i + %j * 4] : memref<?xf64>
      affine.store %a, %B[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @windows
// CHECK:         affine.for %i = 0 to 5 {
