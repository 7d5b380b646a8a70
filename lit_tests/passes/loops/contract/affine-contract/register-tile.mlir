// The innermost loop carries the tile: one packed vector load for each vector of columns, one
// packed scalar for each row, one multiplication and addition for each pair, in k's order.
// RUN: polyopt-opt %s \
// RUN:   -p 'affine-contract,contract-plan{march="x86-64-v3" rows=2 vectors=2},contract-fuse,contract-block,contract-place,contract-to-affine' \
// RUN:   | filecheck %s

func.func @product(%n : index, %C : memref<?x?xf64> {llvm.noalias},
                   %A : memref<?x?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 100 {
      affine.for %k = 0 to %n {
        %x = affine.load %C[%i, %j] : memref<?x?xf64>
        %p = affine.load %A[%i, %k] : memref<?x?xf64>
        %q = affine.load %B[%k, %j] : memref<?x?xf64>
        %t = arith.mulf %p, %q : f64
        %y = arith.addf %x, %t : f64
        affine.store %y, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @product
// CHECK:       affine.for %k{{.*}} iter_args(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) -> (vector<4xf64>, vector<4xf64>, vector<4xf64>, vector<4xf64>) {
// CHECK-NEXT:    [[A0:%.*]] = affine.load %panel_1[%it, %k{{.*}} + %kb * -1, 0] : memref<50x?x2xf64>
// CHECK-NEXT:    [[P0:%.*]] = vector.broadcast [[A0]] : f64 to vector<4xf64>
// CHECK-NEXT:    [[Q0:%.*]] = affine.vector_load %panel[%jt, %k{{.*}} + %kb * -1, 0] : memref<13x?x8xf64>, vector<4xf64>
// CHECK-NEXT:    [[T0:%.*]] = arith.mulf [[P0]], [[Q0]] {poly.rounding = #poly.rounding<in_order>} : vector<4xf64>
// CHECK-NEXT:    [[Y0:%.*]] = arith.addf %{{.*}}, [[T0]] {poly.rounding = #poly.rounding<in_order>} : vector<4xf64>
// CHECK-NEXT:    [[Q1:%.*]] = affine.vector_load %panel[%jt, %k{{.*}} + %kb * -1, 4] : memref<13x?x8xf64>, vector<4xf64>
// CHECK-NEXT:    [[T1:%.*]] = arith.mulf [[P0]], [[Q1]] {poly.rounding = #poly.rounding<in_order>} : vector<4xf64>
// CHECK-NEXT:    [[Y1:%.*]] = arith.addf %{{.*}}, [[T1]] {poly.rounding = #poly.rounding<in_order>} : vector<4xf64>
// CHECK-NEXT:    [[A1:%.*]] = affine.load %panel_1[%it, %k{{.*}} + %kb * -1, 1] : memref<50x?x2xf64>
// CHECK-NEXT:    [[P1:%.*]] = vector.broadcast [[A1]] : f64 to vector<4xf64>
// CHECK-NEXT:    [[T2:%.*]] = arith.mulf [[P1]], [[Q0]] {poly.rounding = #poly.rounding<in_order>} : vector<4xf64>
// CHECK-NEXT:    [[Y2:%.*]] = arith.addf %{{.*}}, [[T2]] {poly.rounding = #poly.rounding<in_order>} : vector<4xf64>
// CHECK-NEXT:    [[T3:%.*]] = arith.mulf [[P1]], [[Q1]] {poly.rounding = #poly.rounding<in_order>} : vector<4xf64>
// CHECK-NEXT:    [[Y3:%.*]] = arith.addf %{{.*}}, [[T3]] {poly.rounding = #poly.rounding<in_order>} : vector<4xf64>
// CHECK-NEXT:    affine.yield [[Y0]], [[Y1]], [[Y2]], [[Y3]]
