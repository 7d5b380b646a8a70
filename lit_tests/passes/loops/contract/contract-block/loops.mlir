// Loops over blocks of depth, columns and rows, a pack for either factor where it is used next, tiles
// inside. The panels have room for the greatest block. What has no sizes stays.
// RUN: polyopt-opt %s -p contract-block | filecheck %s

// CHECK-LABEL: func.func @product
// CHECK-NEXT:    [[Q:%.*]] = contract.panel across affine_map<()[s0] -> (s0, 16)> deep affine_map<()[s0] -> (64, 24)> with(%n) : !contract.panel<4, f64>
// CHECK-NEXT:    [[P:%.*]] = contract.panel across affine_map<()[s0] -> (s0, 8)> deep affine_map<()[s0] -> (64, 24)> with(%n) : !contract.panel<2, f64>
// CHECK:         affine.for %kb = 0 to {{.*}} step 16 {
// CHECK:           affine.for %jb = 0 to affine_map<(d0) -> (d0)>(%n) step 16 {
// CHECK-NEXT:        contract.pack [[Q]] from
// CHECK-SAME:          takes(%B : memref<?x?xf64>)
// CHECK-NEXT:        ^bb0(%j: index, %k: index, %q: f64):
// CHECK-NEXT:          contract.yield %q : f64
// CHECK-NEXT:        } : !contract.panel<4, f64>
// CHECK-NEXT:        affine.for %ib = 0 to affine_map<(d0) -> (d0)>(%n) step 8 {
// CHECK-NEXT:          contract.pack [[P]] from
// CHECK-SAME:            takes(%A : memref<?x?xf64>)
// CHECK:               affine.for %jt = 0 to
// CHECK-NEXT:            affine.for %it = 0 to
// CHECK-NEXT:              contract.tile at
// CHECK-SAME:                rows([[P]] : !contract.panel<2, f64>) columns([[Q]] : !contract.panel<4, f64>) {
// CHECK-NEXT:              ^bb0(%i_1: index, %j_1: index, %k_2: index, %x: f64, %p_1: f64, %q_1: f64):
// CHECK-NEXT:                arith.mulf
// CHECK-NEXT:                arith.addf
// CHECK-NEXT:                contract.yield
func.func @product(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
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

// CHECK-LABEL: func.func @no_sizes
// CHECK-NEXT:    contract.nest
func.func @no_sizes(%n: index, %C: memref<?x?xf64> {llvm.noalias}, %A: memref<?x?xf64> {llvm.noalias},
                 %B: memref<?x?xf64> {llvm.noalias}) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j)>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}

// What is packed is the product with a scalar, made once; the sum is left for the tile. In a kept
// nest only the first iteration of the loop around packs columns, where one block is all.
// CHECK-LABEL: func.func @scaled
// CHECK:         affine.for %r = 0 to 9 {
// CHECK-NEXT:      contract.panel {{.*}} kept : !contract.panel<4, f64>
// CHECK:           "affine.if"(%r, %n) <{condition = affine_set<(d0, d1) : ((d0 + -1) >= 0, ((d1 * -1) + 16) >= 0, -40 >= 0)>}> ({
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }, {
// CHECK-NEXT:        contract.pack
// CHECK:           contract.pack
// CHECK-NEXT:      ^bb0(%{{.*}}: index, %{{.*}}: index, [[A:%.*]]: f64, [[S:%.*]]: f64):
// CHECK-NEXT:        [[U:%.*]] = arith.mulf [[S]], [[A]] : f64
// CHECK-NEXT:        contract.yield [[U]] : f64
func.func @scaled(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>, %s: memref<f64>) {
  affine.for %r = 0 to 9 {
    contract.nest ["rows", "columns", "depth"]
      in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, n - j - 1 >= 0, k >= 0, 63 - k >= 0)>
      with (%n) updates (%C : memref<?x?xf64>)
      takes (%A, %B, %s : memref<?x?xf64>, memref<?x?xf64>, memref<f64>)
      at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
          affine_map<(i, j, k)[n] -> (k, j)>, affine_map<(i, j, k)[n] -> ()>]
      blocking <rows = 2, vectors = 1, lanes = 4, depth = 16, row_block = 8, column_block = 16> kept {
    ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64, %scale: f64):
      %u = arith.mulf %scale, %p : f64
      %t = arith.mulf %u, %q : f64
      %y = arith.addf %x, %t : f64
      contract.yield %y : f64
    }
  }
  func.return
}
