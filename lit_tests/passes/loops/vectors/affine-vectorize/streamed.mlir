// Stores that are marked are non-temporal, aligned whatever the array's address is; the ends of a
// row do not. Behind the nest is a fence.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s

func.func @squares(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %b = affine.load %B[%i, %j] : memref<?x?xf64>
      %x = arith.mulf %b, %b : f64
      affine.store %x, %A[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<nontemporal = [0]>}
  }
  func.return
}

// CHECK-LABEL: func.func @squares
// CHECK:         affine.for %i = 0 to %n {
// CHECK:           [[BEHIND:%.*]] = pvec.misalignment %A[%i, {{%.*}}] of 4 : memref<?x?xf64>
// CHECK-NEXT:      %first = affine.apply affine_map<(d0) -> ((d0 floordiv 4))> ([[BEHIND]])
// CHECK-NEXT:      %start = affine.apply affine_map<(d0) -> ((d0 ceildiv 4))> ([[BEHIND]])
// CHECK:           vector.maskedstore %A[%i, %v]
// CHECK:           affine.for %v_1
// CHECK-NEXT:        [[B:%.*]] = affine.vector_load %B[%i, %v_1]
// CHECK-NEXT:        [[X:%.*]] = arith.mulf [[B]], [[B]]
// CHECK-NEXT:        vector.store [[X]], %A[%i, %v_1] {alignment = 32 : i64, nontemporal = true}
// CHECK:           vector.maskedstore %A[%i, %v_2]
// CHECK:         pvec.stream_fence
// CHECK-NEXT:    func.return
