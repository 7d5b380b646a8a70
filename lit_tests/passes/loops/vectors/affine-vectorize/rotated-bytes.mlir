// A rotated image of bytes: squares of 16 x 16, whose rows are interleaved. The rows that are
// stored run backward: the columns are taken from the last to the first, nothing is reversed.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64"},affine-peel-masks{march="x86-64"},share-transfers,lower-transfers' | filecheck %s

func.func @rotate(%n : index, %A : memref<?x?xi8> {llvm.noalias}, %B : memref<?x1024xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x?xi8>
      affine.store %a, %B[%j, %i * -1 + 1023] : memref<?x1024xi8>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL:  func.func @rotate
// CHECK-COUNT-16: affine.vector_load %A
// CHECK-NEXT:     vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]
// CHECK-NEXT:     vector.shuffle {{.*}} [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31]
// CHECK-COUNT-62: vector.shuffle {{.*}} {{\[(0, 16|8, 24), }}
// CHECK-NEXT:     affine.vector_store
// CHECK-COUNT-15: affine.vector_store
// CHECK-NOT:      vector.shuffle

// Fewer rows than a square has: left alone.
func.func @few(%n : index, %A : memref<?x?xi8> {llvm.noalias}, %B : memref<?x?xi8> {llvm.noalias}) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x?xi8>
      affine.store %a, %B[%j, %i] : memref<?x?xi8>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL:  func.func @few
// CHECK-NOT:      vector
// CHECK:          func.return
