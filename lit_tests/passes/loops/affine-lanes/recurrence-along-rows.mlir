// Four rows in the lanes of a vector; what a row needs of its last element stays in a register,
// and only the last rows have a mask.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @rows(%n : index, %m : index, %A : memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %A[%i, %j - 1] : memref<?x?xf64>
      %y = affine.load %A[%i, %j] : memref<?x?xf64>
      %s = arith.divf %y, %x : f64
      affine.store %s, %A[%i, %j] : memref<?x?xf64>
    }
  } {poly.parallel}
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    affine.for %i = 0 to {{.*}} step 4 {
// CHECK-NEXT:      "affine.if"(%n, %i)
// CHECK:             [[FIRST:%.*]] = pvec.strided_load %A[%i, {{.*}}] by [1, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:        affine.for %time = 1 to {{.*}} iter_args([[LAST:%.*]] = [[FIRST]]) -> (vector<4xf64>) {
// CHECK-NEXT:          [[Y:%.*]] = pvec.strided_load %A[%i, %time] by [1, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          [[S:%.*]] = arith.divf [[Y]], [[LAST]] : vector<4xf64>
// CHECK-NEXT:          pvec.strided_store [[S]], %A[%i, %time] by [1, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          affine.yield [[S]] : vector<4xf64>
// CHECK:         }, {
// CHECK:           [[MASK:%.*]] = vector.create_mask
// CHECK:           pvec.strided_store {{.*}} masked [[MASK]]
