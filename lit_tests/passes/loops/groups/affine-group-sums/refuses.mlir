// What stays: factors that 16 bits may not hold, sums of which single lanes are used, and loops that
// do anything else.
// RUN: polyopt-opt %s -p 'affine-group-sums{march=cascadelake}' | filecheck %s

func.func @without_signs(%A : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extui", %a0 : vector<4xi16> -> vector<4xi32>
    %p = arith.muli %a, %a : vector<4xi32>
    %t = arith.addi %s, %p : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @without_signs(
// CHECK: step 4
// CHECK-NOT: pvec.group

func.func @too_far_apart(%A : memref<?xi16>, %B : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %b0 = pvec.read %B[%v] masked %m : memref<?xi16>, vector<4xi16>
    %b = pvec.convert "extsi", %b0 : vector<4xi16> -> vector<4xi32>
    %d = arith.subi %a, %b : vector<4xi32>
    %p = arith.muli %d, %d : vector<4xi32>
    %t = arith.addi %s, %p : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @too_far_apart(
// CHECK: step 4
// CHECK-NOT: pvec.group

func.func @unknown_factor(%k : i32, %A : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %b = vector.broadcast %k : i32 to vector<4xi32>
    %p = arith.muli %a, %b : vector<4xi32>
    %t = arith.addi %s, %p : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @unknown_factor(
// CHECK: step 4
// CHECK-NOT: pvec.group

func.func @backward(%A : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%n - %v - 1] by [-1] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %t = arith.addi %s, %a : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @backward(
// CHECK: step 4
// CHECK-NOT: pvec.group

func.func @subtracted(%A : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %t = arith.subi %s, %a : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @subtracted(
// CHECK: step 4
// CHECK-NOT: pvec.group

func.func @begins_elsewhere(%i : vector<4xi32>, %A : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %i) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %t = arith.addi %s, %a : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @begins_elsewhere(
// CHECK: step 4
// CHECK-NOT: pvec.group

func.func @a_lane_is_used(%C : memref<4xi32>, %A : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %t = arith.addi %s, %a : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %w = arith.constant 0 : index
  vector.store %r, %C[%w] : memref<4xi32>, vector<4xi32>
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @a_lane_is_used(
// CHECK: step 4
// CHECK-NOT: pvec.group

func.func @stores(%C : memref<?xi16>, %A : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    pvec.write %a0, %C[%v] masked %m : memref<?xi16>, vector<4xi16>
    %t = arith.addi %s, %a : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @stores(
// CHECK: step 4
// CHECK-NOT: pvec.group

// Products are summed modulo 2^32.
func.func @wide_sum_of_products(%A : memref<?xi16>, %n : index) -> i64 {
  %o = arith.constant 0 : i64
  %z = vector.broadcast %o : i64 to vector<2xi64>
  %r = affine.for %v = 0 to %n step 2 iter_args(%s = %z) -> (vector<2xi64>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<2xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<2xi16>
    %a = pvec.convert "extsi", %a0 : vector<2xi16> -> vector<2xi64>
    %p = arith.muli %a, %a : vector<2xi64>
    %t = arith.addi %s, %p : vector<2xi64>
    %u = pvec.select %m, %t, %s : vector<2xi1>, vector<2xi64>
    affine.yield %u : vector<2xi64>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<2xi64> into i64
  func.return %x : i64
}

// CHECK-LABEL: @wide_sum_of_products(
// CHECK: step 2
// CHECK-NOT: pvec.group

// 300 is no byte, and the sum has 64 bits.
func.func @compared_with_no_byte(%A : memref<?xi8>, %n : index) -> i64 {
  %o = arith.constant 0 : i64
  %k = arith.constant 300 : i32
  %z = vector.broadcast %o : i64 to vector<2xi64>
  %r = affine.for %v = 0 to %n step 2 iter_args(%s = %z) -> (vector<2xi64>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<2xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<2xi8>
    %a = pvec.convert "extui", %a0 : vector<2xi8> -> vector<2xi32>
    %b = vector.broadcast %k : i32 to vector<2xi32>
    %c = pvec.cmpi "slt", %a, %b : vector<2xi32> -> vector<2xi1>
    %p = pvec.convert "extui", %c : vector<2xi1> -> vector<2xi64>
    %t = arith.addi %s, %p : vector<2xi64>
    %u = pvec.select %m, %t, %s : vector<2xi1>, vector<2xi64>
    affine.yield %u : vector<2xi64>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<2xi64> into i64
  func.return %x : i64
}

// CHECK-LABEL: @compared_with_no_byte(
// CHECK: step 2
// CHECK-NOT: pvec.group

// Bytes into 64 bits would do, products of halves beside them do not.
func.func @wide_beside_products(%A : memref<?xi8>, %B : memref<?xi16>, %n : index) -> (i64, i32) {
  %o = arith.constant 0 : i64
  %k = arith.constant 0 : i32
  %z = vector.broadcast %o : i64 to vector<2xi64>
  %y = vector.broadcast %k : i32 to vector<2xi32>
  %r, %q = affine.for %v = 0 to %n step 2 iter_args(%s = %z, %p = %y) -> (vector<2xi64>, vector<2xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<2xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<2xi8>
    %a = pvec.convert "extui", %a0 : vector<2xi8> -> vector<2xi64>
    %t = arith.addi %s, %a : vector<2xi64>
    %u = pvec.select %m, %t, %s : vector<2xi1>, vector<2xi64>
    %b0 = pvec.read %B[%v] masked %m : memref<?xi16>, vector<2xi16>
    %b = pvec.convert "extsi", %b0 : vector<2xi16> -> vector<2xi32>
    %c = arith.muli %b, %b : vector<2xi32>
    %d = arith.addi %p, %c : vector<2xi32>
    %e = pvec.select %m, %d, %p : vector<2xi1>, vector<2xi32>
    affine.yield %u, %e : vector<2xi64>, vector<2xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<2xi64> into i64
  %w = vector.reduction <add>, %q : vector<2xi32> into i32
  func.return %x, %w : i64, i32
}

// CHECK-LABEL: @wide_beside_products(
// CHECK: step 2
// CHECK-NOT: pvec.group

// Halves have no bits to be shifted by as many as they have.
func.func @all_bits(%A : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %k = arith.constant dense<16> : vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %p = arith.shrsi %a, %k : vector<4xi32>
    %t = arith.addi %s, %p : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  }
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @all_bits(
// CHECK: step 4
// CHECK-NOT: pvec.group

func.func @every_third(%A : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %k = arith.constant dense<16> : vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v * 3] by [3] within [0, 2] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %p = arith.muli %a, %a : vector<4xi32>
    %t = arith.addi %s, %p : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  }
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @every_third(
// CHECK: step 4
// CHECK-NOT: pvec.group

// Of what may be below zero the bits of all its width are counted.
func.func @bits_of_signs(%A : memref<?xi8>, %n : index) -> i64 {
  %o = arith.constant 0 : i64
  %z = vector.broadcast %o : i64 to vector<2xi64>
  %r = affine.for %v = 0 to %n step 2 iter_args(%s = %z) -> (vector<2xi64>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<2xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<2xi8>
    %a = pvec.convert "extsi", %a0 : vector<2xi8> -> vector<2xi32>
    %c = math.ctpop %a : vector<2xi32>
    %p = pvec.convert "extsi", %c : vector<2xi32> -> vector<2xi64>
    %t = arith.addi %s, %p : vector<2xi64>
    %u = pvec.select %m, %t, %s : vector<2xi1>, vector<2xi64>
    affine.yield %u : vector<2xi64>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<2xi64> into i64
  func.return %x : i64
}

// CHECK-LABEL: @bits_of_signs(
// CHECK: step 2
// CHECK-NOT: pvec.group
