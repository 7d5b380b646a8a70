// At the edges: blocks that are larger than the nest, rows and columns of which there may be none.
// RUN: polyopt-opt %s -p contract-block | filecheck %s

// One block of each, with room for one tile; in it one tile.
func.func @one(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
    %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, 1 - i - 1 >= 0, j >= 0, 1 - j - 1 >= 0, k >= 0, 1 - k - 1 >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>]
    blocking <rows = 2, vectors = 1, lanes = 4, depth = 16, row_block = 8, column_block = 16> {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}

// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    contract.panel across affine_map<() -> (1, 16)> deep affine_map<() -> (1, 24)>
// CHECK-NEXT:    contract.panel across affine_map<() -> (1, 8)> deep affine_map<() -> (1, 24)>
// CHECK-NEXT:    affine.for %kb = 0 to 1 step 16 {
// CHECK:           affine.for %jb = 0 to 1 step 16 {
// CHECK:             affine.for %ib = 0 to 1 step 8 {
// CHECK:               contract.tile

// The depth is one block, which takes what is left behind the others with it: there are none. Without
// rows and columns no tile runs.
func.func @may_be_empty(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
    %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 16 - k - 1 >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>]
    blocking <rows = 2, vectors = 1, lanes = 4, depth = 16, row_block = 8, column_block = 16> {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}

// CHECK-LABEL: func.func @may_be_empty(
// CHECK:         affine.for %kb = 0 to 8 step 16 {
// CHECK:           affine.for %jb = 0 to affine_map<(d0) -> (d0)>(%n) step 16 {
// CHECK:             affine.for %ib = 0 to affine_map<(d0) -> (d0)>(%n) step 8 {
// CHECK:               affine.for %jt = 0 to min affine_map<(d0, d1) -> (((d0 + (d1 * -1)) ceildiv 4), 4)>(%n, %jb) {
// CHECK-NEXT:            affine.for %it = 0 to min affine_map<(d0, d1) -> (((d0 + (d1 * -1)) ceildiv 2), 4)>(%n, %ib) {
