// A pack becomes loops that copy, a tile masked vector code around the loop over depth that carries
// it: nobody has asked where they come from. A whole tile that is known to be one needs no mask.
// RUN: polyopt-opt %s -p contract-to-affine | filecheck %s

// CHECK-LABEL: func.func @tile
// CHECK:         affine.for %t = 0 to 2 {
// CHECK-NEXT:      affine.for %k = 0 to 16 {
// CHECK-NEXT:        [[V:%.*]] = affine.vector_load %B[%k, %t * 4] : memref<16x8xf64>, vector<4xf64>
// CHECK-NEXT:        affine.vector_store [[V]], %q[%t, %k, 0] : memref<2x16x4xf64>, vector<4xf64>
// CHECK:         [[C0:%.*]] = affine.vector_load %C[0, 4]
// CHECK-NEXT:    [[C1:%.*]] = affine.vector_load %C[1, 4]
// CHECK:         affine.for %k_{{[0-9]}} = 0 to 16 iter_args({{.*}} = [[C0]], {{.*}} = [[C1]])
// CHECK:         affine.vector_store %{{.*}}, %C[0, 4]
// CHECK-NEXT:    affine.vector_store %{{.*}}, %C[1, 4]
// CHECK-NEXT:    func.return
func.func @tile(%C: memref<2x8xf64>, %p: memref<1x16x2xf64>, %q: memref<2x16x4xf64>, %B: memref<16x8xf64>) {
  contract.pack %q from affine_map<() -> (0, 0)> counts affine_map<() -> (8)>
    in affine_set<(x, k) : (x >= 0, 7 - x >= 0, k >= 0, 15 - k >= 0)>
    assuming affine_set<() : ()> with () takes (%B : memref<16x8xf64>)
    at [affine_map<(x, k) -> (k, x)>] lanes 4 {
  ^bb0(%x: index, %k: index, %b: f64):
    contract.yield %b : f64
  } : memref<2x16x4xf64>
  contract.tile at affine_map<() -> (0, 0, 1, 4, 0)>
    in affine_set<(i, j, k) : (i >= 0, 1 - i >= 0, j >= 0, 7 - j >= 0, k >= 0, 15 - k >= 0)>
    assuming affine_set<() : ()> first affine_set<() : ()> last affine_set<() : ()>
    room affine_set<() : ()> with ()
    blocking <rows = 2, vectors = 1, lanes = 4, depth = 16, row_block = 2, column_block = 8>
    updates (%C : memref<2x8xf64>) maps [affine_map<(i, j, k) -> (i, j)>]
    rows (%p : memref<1x16x2xf64>) columns (%q : memref<2x16x4xf64>) {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %a: f64, %b: f64):
    %t = arith.mulf %a, %b : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}

// Seven columns: the second tile is cut, and goes row by row through a mask of three lanes.
// CHECK-LABEL: func.func @cut
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<2x4xf64>
// CHECK:         [[THREE:%.*]] = arith.constant 3 : index
// CHECK-NEXT:    [[MASK:%.*]] = vector.create_mask [[THREE]] : vector<4xi1>
// CHECK:         vector.maskedload %C
func.func @cut(%C: memref<2x7xf64>, %p: memref<1x16x2xf64>, %q: memref<2x16x4xf64>) {
  contract.tile at affine_map<() -> (0, 0, 1, 4, 0)>
    in affine_set<(i, j, k) : (i >= 0, 1 - i >= 0, j >= 0, 6 - j >= 0, k >= 0, 15 - k >= 0)>
    assuming affine_set<() : ()> first affine_set<() : ()> last affine_set<() : ()>
    room affine_set<() : ()> with ()
    blocking <rows = 2, vectors = 1, lanes = 4, depth = 16, row_block = 2, column_block = 8>
    updates (%C : memref<2x7xf64>) maps [affine_map<(i, j, k) -> (i, j)>]
    rows (%p : memref<1x16x2xf64>) columns (%q : memref<2x16x4xf64>) {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %a: f64, %b: f64):
    %t = arith.mulf %a, %b : f64
    %y = arith.addf %x, %t : f64
    contract.yield %y : f64
  }
  func.return
}
