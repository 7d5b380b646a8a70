// Two rows run together: what both need is loaded once, whole vectors without a mask, then the
// rest of the row with one.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-interleave-rows{rows=2},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s

func.func @vertical(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias},
                    %B : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
      %y = affine.load %A[%i + 1, %j] : memref<?x?xf64>
      %s = arith.addf %x, %y : f64
      affine.store %s, %B[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @vertical
// CHECK:       affine.for %i = 0 to {{.*}} step 2 {
// CHECK:         affine.for %v = 0 to {{.*}} step 4 {
// CHECK-NEXT:      [[A0:%.*]] = affine.vector_load %A[%i, %v] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:      [[A1:%.*]] = affine.vector_load %A[%i + 1, %v] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:      [[B0:%.*]] = arith.addf [[A0]], [[A1]] : vector<4xf64>
// CHECK-NEXT:      [[A2:%.*]] = affine.vector_load %A[%i + 2, %v] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:      [[B1:%.*]] = arith.addf [[A1]], [[A2]] : vector<4xf64>
// CHECK-NEXT:      affine.vector_store [[B0]], %B[%i, %v] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:      affine.vector_store [[B1]], %B[%i + 1, %v] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:    }
// CHECK:         affine.for %v_1 = {{.*}} step 4 {
// CHECK:           [[M:%.*]] = vector.create_mask {{.*}} : vector<4xi1>
// CHECK:           vector.maskedload %A[%i, %v_1], [[M]],
// CHECK:           vector.maskedstore %B[{{.*}}, %v_1], [[M]],
