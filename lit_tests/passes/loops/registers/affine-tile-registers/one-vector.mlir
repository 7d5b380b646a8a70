// Rows that are never longer than a vector need one under a mask, and none that is whole; of rows that
// are never as many as a tile's there are only what is left over.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"}' | filecheck %s

func.func @few(%n : index, %m : index, %A : memref<?x8xf64> {llvm.noalias},
               %B : memref<?x8xf64> {llvm.noalias}, %C : memref<?x8xf64> {llvm.noalias}) {
  affine.for %i = 0 to min affine_map<(d0) -> (d0, 8)>(%m) {
    affine.for %j = 0 to min affine_map<(d0) -> (d0, 8)>(%n) {
      affine.for %p = 0 to min affine_map<(d0) -> (d0, 8)>(%n) {
        %a = affine.load %A[%i, %p] : memref<?x8xf64>
        %b = affine.load %B[%p, %j] : memref<?x8xf64>
        %ab = arith.mulf %a, %b : f64
        %c = affine.load %C[%i, %j] : memref<?x8xf64>
        %s = arith.addf %c, %ab : f64
        affine.store %s, %C[%i, %j] : memref<?x8xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @few(
// CHECK:       affine.for %i = 0 to {{.*}} step 4 {
// CHECK-NEXT:    %end
// CHECK:         affine.for %j = 0 to affine_map<(d0) -> (d0)>(%end_1) step 8 {
// CHECK:           pvec.read %C[%i, %j] masked
// CHECK-NOT:     pvec.read %C{{[^:]*}}] :
