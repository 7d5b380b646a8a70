// Each row needs the one before, up to one column further: so it runs two columns behind it, and
// the lanes touch elements one row down and two columns back. What a lane takes from the row above
// is what the lane before it has in a register, and stretches of rows are stored as a whole. Before
// all lanes are inside and after the first has left, the others are masked.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true},share-transfers,lower-transfers' | filecheck %s

func.func @wavefront(%n : index, %m : index, %A : memref<?x?xf64>) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %A[%i - 1, %j + 1] : memref<?x?xf64>
      %y = affine.load %A[%i, %j - 1] : memref<?x?xf64>
      %s = arith.addf %x, %y : f64
      affine.store %s, %A[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @wavefront
// CHECK:         affine.for %i = 1 to {{.*}} step 4 {
// CHECK:           affine.for %time = {{.*}} to min {{.*}} {
// CHECK:             [[EARLY:%.*]] = pvec.range_mask
// CHECK:             pvec.strided_load %A[{{.*}}] by [1, -2] masked [[EARLY]]
// CHECK:             pvec.strided_store %{{.*}}, %A[{{.*}}] by [1, -2] masked [[EARLY]]
// CHECK:           affine.for %stretch = {{.*}} step 4
// CHECK:             affine.for [[T:%time_[0-9]+]] = {{.*}} iter_args([[LAST:%.*]] = %{{.*}}) -> (vector<4xf64>) {
// CHECK:               [[FIRST:%.*]] = affine.load %A[%i + -1, [[T]] + 1]
// CHECK-NEXT:          [[ALL:%.*]] = vector.broadcast [[FIRST]]
// CHECK-NEXT:          [[X:%.*]] = vector.shuffle [[ALL]], [[LAST]] [3, 4, 5, 6]
// CHECK-NEXT:          [[S:%.*]] = arith.addf [[X]], [[LAST]] : vector<4xf64>
// CHECK-NEXT:          affine.vector_store [[S]], %transposed
// CHECK-NEXT:          affine.yield [[S]]
// CHECK:             vector.shuffle
// CHECK-COUNT-4:     affine.vector_store {{.*}} %A
// CHECK:           affine.for %time_{{[0-9]+}} = max
// CHECK:             pvec.range_mask
