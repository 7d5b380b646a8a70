// At the edges: vectors are no longer than the loop, and rows of a loop run together as before.
// RUN: polyopt-opt %s -p 'affine-group-sums{march=x86-64-v3}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-group-sums{march=x86-64-v3},affine-interleave-rows{march=x86-64-v3}' | filecheck %s --check-prefix ROWS

// 24 bytes: registers of 256 bits would hold 32, and 16 of them are halves.
func.func @short_row(%A : memref<?xi8>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to 24 step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0) -> (24 - d0)> (%v)
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<4xi8>
    %a = pvec.convert "extsi", %a0 : vector<4xi8> -> vector<4xi32>
    %t = arith.addi %s, %a : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @short_row(
// CHECK:         affine.for %v = 0 to 24 step 16
// CHECK:           pvec.group_dot "extsi" {{%.*}}, "extsi" {{%.*}} to {{%.*}} : vector<16xi16> -> vector<8xi32>

// Six bytes: no vector is shorter than 128 bits.
func.func @shortest_row(%A : memref<?xi8>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to 6 step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0) -> (6 - d0)> (%v)
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<4xi8>
    %a = pvec.convert "extui", %a0 : vector<4xi8> -> vector<4xi32>
    %t = arith.addi %s, %a : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @shortest_row(
// CHECK:         affine.for %v = 0 to 6 step 16
// CHECK:           pvec.group_distance {{%.*}}, {{%.*}} to {{%.*}} : vector<16xi8> -> vector<4xi32>

// Rows share what they are multiplied with: it is read once for four of them.
func.func @rows(%W : memref<?x64xi8>, %X : memref<?xi8>, %y : memref<?xi32>, %m : index) {
  %o = arith.constant 0 : i32
  affine.for %i = 0 to %m {
    %z = vector.broadcast %o : i32 to vector<8xi32>
    %r = affine.for %v = 0 to 64 step 8 iter_args(%s = %z) -> (vector<8xi32>) {
      %left = affine.apply affine_map<(d0) -> (64 - d0)> (%v)
      %k = vector.create_mask %left : vector<8xi1>
      %a0 = pvec.read %W[%i, %v] masked %k : memref<?x64xi8>, vector<8xi8>
      %a = pvec.convert "extsi", %a0 : vector<8xi8> -> vector<8xi32>
      %b0 = pvec.read %X[%v] masked %k : memref<?xi8>, vector<8xi8>
      %b = pvec.convert "extsi", %b0 : vector<8xi8> -> vector<8xi32>
      %p = arith.muli %a, %b : vector<8xi32>
      %t = arith.addi %s, %p : vector<8xi32>
      %u = pvec.select %k, %t, %s : vector<8xi1>, vector<8xi32>
      affine.yield %u : vector<8xi32>
    } {poly.loop = #poly.loop<interleave = 4>}
    %x = vector.reduction <add>, %r : vector<8xi32> into i32
    affine.store %x, %y[%i] : memref<?xi32>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// ROWS-LABEL: @rows(
// ROWS:         affine.for %i = 0 to affine_map<(d0) -> (d0)>(%m) step 4
// ROWS:           affine.for %v = 0 to 64 step 16
// ROWS-COUNT-4:     pvec.group_dot
