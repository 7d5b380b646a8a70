// RUN: polyopt-opt %s -p "affine-vectorize{march=x86-64-v4}" | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="znver5+avx512dq"}' | filecheck %s --check-prefix=APART

// Sums of gathered elements: a row of a sparse matrix may be short: one of a few elements is taken one by one.

builtin.module attributes {polyopt.fastmath = #arith.fastmath<fast>} {

func.func @quotients(%low : index, %high : index, %C : memref<?xi32> {llvm.noalias}, %D : memref<?xf64> {llvm.noalias}, %X : memref<?xf64> {llvm.noalias}, %s : memref<f64> {llvm.noalias}) {
  affine.for %k = %low to %high {
    %c = affine.load %C[%k] : memref<?xi32>
    %i = arith.index_cast %c : i32 to index
    %x = memref.load %X[%i] : memref<?xf64>
    %d = memref.load %D[%i] : memref<?xf64>
    %q = arith.divf %x, %d : f64
    %old = affine.load %s[] : memref<f64>
    %new = arith.addf %old, %q : f64
    affine.store %new, %s[] : memref<f64>
  } {poly.loop = #poly.loop<reduces = ["s"]>}
  func.return
}
// One vector of divisions pays, but not for half of its lanes: behind the whole ones there is no mask.
// CHECK-LABEL: func.func @quotients
// CHECK:         affine_set<(d0, d1) : (((d0 + (d1 * -1)) + -8) >= 0)>
// CHECK:           affine.for %v
// CHECK-NOT:         create_mask
// CHECK:             pvec.gather %X[{{%.*}}] : memref<?xf64>, vector<8xi32>
// CHECK:           vector.reduction <add>
// CHECK:           affine.for %k
// CHECK:             arith.divf {{.*}} : f64
// CHECK:           no_vector
// CHECK:           affine.for %k
// CHECK:             arith.divf {{.*}} : f64
// CHECK:           no_vector

func.func @products(%low : index, %high : index, %C : memref<?xi32> {llvm.noalias}, %A : memref<?xf64> {llvm.noalias}, %X : memref<?xf64> {llvm.noalias}, %s : memref<f64> {llvm.noalias}) {
  affine.for %k = %low to %high {
    %c = affine.load %C[%k] : memref<?xi32>
    %i = arith.index_cast %c : i32 to index
    %x = memref.load %X[%i] : memref<?xf64>
    %a = affine.load %A[%k] : memref<?xf64>
    %q = arith.mulf %x, %a : f64
    %old = affine.load %s[] : memref<f64>
    %new = arith.addf %old, %q : f64
    affine.store %new, %s[] : memref<f64>
  } {poly.loop = #poly.loop<reduces = ["s"]>}
  func.return
}
// A product is so cheap in lanes that a vector pays from eight elements on, whole or under a mask.
// CHECK-LABEL: func.func @products
// CHECK:         affine_set<(d0, d1) : (((d0 + (d1 * -1)) + -8) >= 0)>
// CHECK:             [[MASK:%.*]] = vector.create_mask
// CHECK:             pvec.gather %X[{{%.*}}] masked [[MASK]] : vector<8xi1> : memref<?xf64>, vector<8xi32>
// CHECK:           vector.reduction <add>
// CHECK:           affine.for %k
// CHECK:           no_vector
// CHECK-NOT:       affine.for
// Where a CPU gathers no faster than element by element, what fills no vector is taken one by one.
// APART-LABEL: func.func @products
// APART:         affine_set<(d0, d1) : (((d0 + (d1 * -1)) + -8) >= 0)>
// APART-NOT:         create_mask
// APART:             pvec.gather %X[{{%.*}}] : memref<?xf64>, vector<8xi32>
// APART-NOT:         create_mask
// APART:           vector.reduction <add>
// APART-NOT:         create_mask
}
