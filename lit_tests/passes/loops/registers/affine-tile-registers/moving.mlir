// Where the serial loop ends one iteration earlier in each later column, all lanes run together as
// long as the last one does, and lanes that are through keep what they hold.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

func.func @lags(%n : index, %x : memref<?xf64> {llvm.noalias}, %r : memref<8xf64> {llvm.noalias}) {
  %s = memref.alloca() : memref<f64>
  %zero = arith.constant 0.0 : f64
  affine.for %l = 0 to 8 {
    affine.store %zero, %s[] : memref<f64>
    affine.for %i = 0 to affine_map<(d0)[s0] -> (s0 - d0)>(%l)[%n] {
      %a = affine.load %x[%i] : memref<?xf64>
      %b = affine.load %x[%i + %l] : memref<?xf64>
      %ab = arith.mulf %a, %b : f64
      %s0 = affine.load %s[] : memref<f64>
      %s1 = arith.addf %s0, %ab : f64
      affine.store %s1, %s[] : memref<f64>
    }
    %sum = affine.load %s[] : memref<f64>
    affine.store %sum, %r[%l] : memref<8xf64>
  }
  func.return
}

// CHECK-LABEL:   func.func @lags
// CHECK:           affine.for %l = 0 to 1 step 8 {
// CHECK:             %[[MOST:.*]] = affine.for %i = 0 to {{.*}} iter_args
// CHECK-NOT:           vector.create_mask
// CHECK:               affine.vector_load %x
// CHECK:             affine.for %i{{.*}} = max {{.*}} iter_args(%[[HELD:.*]] = %[[MOST]])
// CHECK:               %[[MASK:.*]] = vector.create_mask
// CHECK:               vector.maskedload %x{{.*}}, %[[MASK]]
// CHECK:               %[[SUM:.*]] = arith.addf %[[HELD]],
// CHECK:               pvec.select %[[MASK]], %[[SUM]], %[[HELD]]
// CHECK:           affine.vector_store {{.*}}, %r
