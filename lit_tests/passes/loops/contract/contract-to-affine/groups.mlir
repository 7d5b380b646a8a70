// In groups of four steps: rows of steps take turns in a panel, or what lies side by side stays so; a
// group that the last step cuts off is zero behind it. A step of registers takes a group of each.
// RUN: polyopt-opt %s -p contract-to-affine | filecheck %s

// CHECK-LABEL: func.func @by_columns
// CHECK:         affine.for %g = 2 to 3 {
// CHECK-NEXT:      [[ZERO:%.*]] = arith.constant dense<0> : vector<16xi8>
// CHECK-NEXT:      affine.vector_store [[ZERO]], %q[%t, %g, 0] : memref<1x3x16xi8>, vector<16xi8>
// CHECK:         affine.for %g_1 = 0 to 2 {
// CHECK-NEXT:      [[A:%.*]] = affine.vector_load %B[%g_1 * 4, %t * 4] : memref<9x4xi8>, vector<4xi8>
// CHECK-NEXT:      [[B:%.*]] = affine.vector_load %B[%g_1 * 4 + 1, %t * 4]
// CHECK-NEXT:      [[C:%.*]] = affine.vector_load %B[%g_1 * 4 + 2, %t * 4]
// CHECK-NEXT:      [[D:%.*]] = affine.vector_load %B[%g_1 * 4 + 3, %t * 4]
// CHECK-NEXT:      [[E:%.*]] = vector.shuffle [[A]], [[C]] [0, 4, 1, 5, 2, 6, 3, 7]
// CHECK-NEXT:      [[O:%.*]] = vector.shuffle [[B]], [[D]] [0, 4, 1, 5, 2, 6, 3, 7]
// CHECK-NEXT:      [[V:%.*]] = vector.shuffle [[E]], [[O]] [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]
// CHECK-NEXT:      affine.vector_store [[V]], %q[%t, %g_1, 0] : memref<1x3x16xi8>, vector<16xi8>
// CHECK:         affine.for %k = 8 to 9 {
// CHECK:           affine.for %x
// CHECK-NEXT:        affine.load %B
// CHECK-NEXT:        affine.store
func.func @by_columns(%q: memref<1x3x16xi8>, %B: memref<9x4xi8>) {
  contract.pack %q from affine_map<() -> (0, 0)> counts affine_map<() -> (4)>
    in affine_set<(x, k) : (x >= 0, 3 - x >= 0, k >= 0, 8 - k >= 0)>
    assuming affine_set<() : ()> with () takes (%B : memref<9x4xi8>)
    at [affine_map<(x, k) -> (k, x)>] lanes 4 group 4 {
  ^bb0(%x: index, %k: index, %b: i8):
    contract.yield %b : i8
  } : memref<1x3x16xi8>
  func.return
}

// Steps side by side: squares of words change places.
// CHECK-LABEL: func.func @by_rows
// CHECK:         affine.for %g_1 = 0 to 4 step 4 {
// CHECK-COUNT-4:   vector.bitcast {{.*}} : vector<16xi8> to vector<4xi32>
// CHECK:           [[W:%.*]] = vector.bitcast {{.*}} : vector<4xi32> to vector<16xi8>
// CHECK-NEXT:      affine.vector_store [[W]], %q[%t, %g_1, 0]
func.func @by_rows(%q: memref<1x4x16xi8>, %B: memref<4x16xi8>) {
  contract.pack %q from affine_map<() -> (0, 0)> counts affine_map<() -> (4)>
    in affine_set<(x, k) : (x >= 0, 3 - x >= 0, k >= 0, 15 - k >= 0)>
    assuming affine_set<() : ()> with () takes (%B : memref<4x16xi8>)
    at [affine_map<(x, k) -> (x, k)>] lanes 4 group 4 {
  ^bb0(%x: index, %k: index, %b: i8):
    contract.yield %b : i8
  } : memref<1x4x16xi8>
  func.return
}

// Edge: the last tile has one row of two; its groups are copied one by one.
// CHECK-LABEL: func.func @cut_off
// CHECK:         affine.if
// CHECK:         affine.vector_load %B[{{.*}}, %g{{[_0-9]*}} * 2] : memref<3x4xi16>, vector<2xi16>
// CHECK-NEXT:    affine.vector_store {{.*}} : memref<2x2x4xi16>, vector<2xi16>
func.func @cut_off(%q: memref<2x2x4xi16>, %B: memref<3x4xi16>) {
  contract.pack %q from affine_map<() -> (0, 0)> counts affine_map<() -> (3)>
    in affine_set<(x, k) : (x >= 0, 2 - x >= 0, k >= 0, 3 - k >= 0)>
    assuming affine_set<() : ()> with () takes (%B : memref<3x4xi16>)
    at [affine_map<(x, k) -> (x, k)>] lanes 4 group 2 {
  ^bb0(%x: index, %k: index, %b: i16):
    contract.yield %b : i16
  } : memref<2x2x4xi16>
  func.return
}

// CHECK-LABEL: func.func @tile
// CHECK:         affine.for %k = 0 to 3 iter_args([[X:%.*]] = {{.*}}) -> (vector<4xi32>) {
// CHECK-NEXT:      [[A:%.*]] = affine.vector_load %p[0, %k, 0] : memref<1x3x4xi8>, vector<4xi8>
// CHECK-NEXT:      [[R:%.*]] = vector.shuffle [[A]], [[A]] [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]
// CHECK-NEXT:      [[B:%.*]] = affine.vector_load %q[0, %k, 0] : memref<1x3x16xi8>, vector<16xi8>
// CHECK-NEXT:      [[Y:%.*]] = pvec.group_dot "extui" [[R]], "extsi" [[B]] to [[X]] : vector<16xi8> -> vector<4xi32>
// CHECK-NEXT:      affine.yield [[Y]] : vector<4xi32>
func.func @tile(%C: memref<1x4xi32>, %p: memref<1x3x4xi8>, %q: memref<1x3x16xi8>) {
  contract.tile at affine_map<() -> (0, 0, 0, 0, 0)>
    in affine_set<(i, j, k) : (i >= 0, i <= 0, j >= 0, 3 - j >= 0, k >= 0, 8 - k >= 0)>
    assuming affine_set<() : ()> first affine_set<() : ()> last affine_set<() : ()>
    room affine_set<() : ()> with ()
    blocking <rows = 1, vectors = 1, lanes = 4, depth = 12, row_block = 1, column_block = 4, group = 4>
    updates (%C : memref<1x4xi32>) maps [affine_map<(i, j, k) -> (i, j)>]
    rows (%p : memref<1x3x4xi8>) columns (%q : memref<1x3x16xi8>) {
  ^bb0(%i: index, %j: index, %k: index, %x: i32, %a: i8, %b: i8):
    %u = arith.extui %a : i8 to i32
    %v = arith.extsi %b : i8 to i32
    %t = arith.muli %u, %v : i32
    %y = arith.addi %x, %t : i32
    contract.yield %y : i32
  }
  func.return
}
