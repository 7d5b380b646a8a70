// The sums of a tile are carried around the serial loop in registers; A's element is spread once for
// each row, B's vector is loaded once for all rows.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

func.func @small(%k : index, %A : memref<4x?xf64> {llvm.noalias},
                 %B : memref<?x8xf64> {llvm.noalias}, %C : memref<4x8xf64> {llvm.noalias}) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      affine.for %p = 0 to %k {
        %a = affine.load %A[%i, %p] : memref<4x?xf64>
        %b = affine.load %B[%p, %j] : memref<?x8xf64>
        %ab = arith.mulf %a, %b : f64
        %c = affine.load %C[%i, %j] : memref<4x8xf64>
        %s = arith.addf %c, %ab : f64
        affine.store %s, %C[%i, %j] : memref<4x8xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL:   func.func @small
// CHECK:           affine.for %i = 0 to 1 step 4 {
// CHECK:             affine.for %j = 0 to 1 step 8 {
// CHECK:               affine.if
// CHECK-COUNT-4:         affine.vector_load %C
// CHECK:                 affine.for %p = {{.*}} iter_args({{.*}}) -> (vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>) {
// CHECK-NEXT:              affine.vector_load %B
// CHECK-NOT:               affine.vector_load
// CHECK-COUNT-4:           affine.load %A
// CHECK-NOT:               affine.load
// CHECK:                   affine.yield
// CHECK-COUNT-4:         affine.vector_store {{.*}}, %C
