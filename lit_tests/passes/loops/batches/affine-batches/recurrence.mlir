// Four problems at once, on a copy whose elements are vectors: a square comes in, and one goes out that holds what was written.
// RUN: polyopt-opt -p 'affine-batches{march="x86-64-v3" force=true}' %s | filecheck %s

func.func @f(%n : index, %c : f64, %A : memref<?x5xf64> {llvm.noalias}) {
  affine.for %b = 0 to %n {
    affine.for %k = 1 to 5 {
      %0 = affine.load %A[%b, %k - 1] : memref<?x5xf64>
      %1 = arith.mulf %0, %c : f64
      affine.store %1, %A[%b, %k] : memref<?x5xf64>
    }
  }
  return
}

// CHECK-LABEL: func.func @f
// CHECK:         affine.for %b = 0 to {{.*}} step 4 {
// CHECK-NEXT:      "affine.if"
// CHECK:             %[[COPY:.*]] = memref.alloca() {{.*}} : memref<5x4xf64>
// CHECK:             pvec.read_square %A[%b, 0] by [1, 0]
// CHECK:             affine.for %k = 1 to 5 {
// CHECK:               pvec.read %[[COPY]][%k + -1, 0] : memref<5x4xf64>, vector<4xf64>
// CHECK:               arith.mulf %{{.*}} : vector<4xf64>
// CHECK:               pvec.write %{{.*}}, %[[COPY]][%k, 0]
// CHECK:             pvec.write_square {{.*}} %A[%b, 1] by [1, 0]
// CHECK:             affine.for %b_1 = affine_map<(d0) -> (d0)>(%b) to
// CHECK:               affine.load %A[%b_1, %k_1 + -1]
