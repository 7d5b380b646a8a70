// An array transposed in place: all loads of a square and of its mirror image before all stores.
// What squares do not cover, at the diagonal and at the end, runs one iteration at a time.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s

func.func @swap(%n : index, %A : memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to %n {
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %b = affine.load %A[%j, %i] : memref<?x?xf64>
      affine.store %b, %A[%i, %j] : memref<?x?xf64>
      affine.store %a, %A[%j, %i] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @swap
// CHECK:         affine.for %i = 0 to affine_map<(d0) -> (d0)>(%n) step 4 {
// CHECK:           affine.for %row
// CHECK:           affine.for [[J:%j_[0-9]+]] = {{.*}} step 4 {
// CHECK-COUNT-4:     affine.vector_load %A[%i{{.*}}, [[J]]]
// CHECK-NOT:         affine.vector_store
// CHECK-COUNT-4:     affine.vector_load %A{{\[}}[[J]]{{.*}}, %i]
// CHECK-NOT:         affine.vector_store
// CHECK-COUNT-8:     vector.shuffle
// CHECK-COUNT-4:     affine.vector_store {{.*}} %A[%i{{.*}}, [[J]]]
// CHECK-COUNT-8:     vector.shuffle
// CHECK-COUNT-4:     affine.vector_store {{.*}} %A{{\[}}[[J]]{{.*}}, %i]
// CHECK:           affine.for %row

// An iteration that loads what it has stored is no such square: left alone.
func.func @after_itself(%n : index, %A : memref<?x?xf64>, %B : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
      %a = affine.load %A[%j, %i] : memref<?x?xf64>
      affine.store %a, %A[%i, %j] : memref<?x?xf64>
      %b = affine.load %A[%j, %i] : memref<?x?xf64>
      affine.store %b, %B[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @after_itself
// CHECK-NOT:     vector.shuffle
// CHECK:         affine.for %j
// CHECK-NOT:     vector.shuffle
// CHECK:         func.return
