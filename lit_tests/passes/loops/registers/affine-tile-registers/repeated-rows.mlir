// Three rows that are left take the tile of four, as long as the model thinks that this is no longer
// than two tiles: the last row stands in for the fourth. It is read before any row is stored, so that
// what is added to it is added once.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"}' | filecheck %s

func.func @product(%n : index, %A : memref<?x?xf64> {llvm.noalias},
                   %B : memref<?x?xf64> {llvm.noalias}, %C : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 16 {
      affine.for %k = 0 to %n {
        %a = affine.load %A[%i, %k] : memref<?x?xf64>
        %b = affine.load %B[%k, %j] : memref<?x?xf64>
        %old = affine.load %C[%i, %j] : memref<?x?xf64>
        %ab = arith.mulf %a, %b fastmath<fast> : f64
        %sum = arith.addf %old, %ab fastmath<fast> : f64
        affine.store %sum, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @product
// CHECK:       affine.for %i_1 = {{.*}} to affine_map<(d0) -> ((d0 + -2))>(%n) step 4 {
// CHECK-NEXT:    [[LAST:%.*]] = affine.min affine_map<(d0, d1) -> ((d0 + 3), (d1 + -1))> (%i_1, %n)
// CHECK-NOT:     pvec.write
// CHECK:         pvec.read %C[%i_1 + 2, %j_1]
// CHECK-NOT:     pvec.write
// CHECK:         pvec.read %C[[[LAST]], %j_1]
// CHECK:         pvec.read %A[[[LAST]], %k_1]
// CHECK:         pvec.write {{.*}} %C[%i_1 + 2, %j_1]
// CHECK:         pvec.write {{.*}} %C[[[LAST]], %j_1]
// CHECK:       affine.for %i_2 = {{.*}} to affine_map<(d0) -> ((d0 + -1))>(%n) step 2 {
// CHECK-NOT:     affine.min affine_map<(d0, d1) -> ((d0 +
