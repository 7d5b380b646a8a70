// Narrow products, numbers and distances are summed in groups of lanes; masked lanes give nothing.
// RUN: polyopt-opt %s -p 'affine-group-sums{march=x86-64}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-group-sums{march="cascadelake+prefer128"}' | filecheck %s --check-prefix FOUR

// Two products in each lane: vectors are twice as long.
func.func @halves(%A : memref<?xi16>, %B : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %b0 = pvec.read %B[%v + 1] masked %m : memref<?xi16>, vector<4xi16>
    %b = pvec.convert "extsi", %b0 : vector<4xi16> -> vector<4xi32>
    %p = arith.muli %a, %b : vector<4xi32>
    %t = arith.addi %s, %p : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @halves(
// CHECK:         [[R:%.*]] = affine.for %v = 0 to affine_map<(d0) -> (d0)>(%n) step 8 iter_args([[S:%.*]] = {{%.*}}) -> (vector<4xi32>) {
// CHECK:           [[M:%.*]] = vector.create_mask {{%.*}} : vector<8xi1>
// CHECK-NEXT:      [[A:%.*]] = pvec.read %A[%v] masked [[M]] : memref<?xi16>, vector<8xi16>
// CHECK-NEXT:      [[Z:%.*]] = arith.constant dense<0> : vector<8xi16>
// CHECK-NEXT:      [[W:%.*]] = pvec.select [[M]], [[A]], [[Z]] : vector<8xi1>, vector<8xi16>
// CHECK-NEXT:      [[B:%.*]] = pvec.read %B[%v + 1] masked [[M]] : memref<?xi16>, vector<8xi16>
// CHECK-NEXT:      [[T:%.*]] = pvec.group_dot "extsi" [[W]], "extsi" [[B]] to [[S]] : vector<8xi16> -> vector<4xi32>
// CHECK-NEXT:      affine.yield [[T]] : vector<4xi32>
// CHECK-NEXT:    } {poly.loop = #poly.loop<interleave = 4>}
// CHECK-NEXT:    vector.reduction <add>, [[R]] : vector<4xi32> into i32

// Four bytes in each lane where the machine sums these; else they become halves.
func.func @bytes(%A : memref<?xi8>, %B : memref<?xi8>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<4xi8>
    %a = pvec.convert "extui", %a0 : vector<4xi8> -> vector<4xi32>
    %b0 = pvec.read %B[%v] masked %m : memref<?xi8>, vector<4xi8>
    %b = pvec.convert "extsi", %b0 : vector<4xi8> -> vector<4xi32>
    %p = arith.muli %a, %b : vector<4xi32>
    %t = arith.addi %p, %s : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @bytes(
// CHECK:           step 8
// CHECK:           [[A:%.*]] = pvec.convert "extui", {{%.*}} : vector<8xi8> -> vector<8xi16>
// CHECK:           [[B:%.*]] = pvec.convert "extsi", {{%.*}} : vector<8xi8> -> vector<8xi16>
// CHECK:           pvec.group_dot "extsi" {{%.*}}, "extsi" [[B]]
// FOUR-LABEL: @bytes(
// FOUR:            step 16
// FOUR:            pvec.group_dot "extui" {{%.*}}, "extsi" {{%.*}} to {{%.*}} : vector<16xi8> -> vector<4xi32>

// |a - b|: the machine has that for bytes, whatever else it has.
func.func @distance(%A : memref<?xi8>, %B : memref<?xi8>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<4xi8>
    %a = pvec.convert "extui", %a0 : vector<4xi8> -> vector<4xi32>
    %b0 = pvec.read %B[%v] masked %m : memref<?xi8>, vector<4xi8>
    %b = pvec.convert "extui", %b0 : vector<4xi8> -> vector<4xi32>
    %d = arith.subi %a, %b : vector<4xi32>
    %e = arith.subi %b, %a : vector<4xi32>
    %g = arith.maxsi %d, %e : vector<4xi32>
    %t = arith.addi %s, %g : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @distance(
// CHECK:           step 16
// CHECK:           [[M:%.*]] = vector.create_mask {{%.*}} : vector<16xi1>
// CHECK:           [[A:%.*]] = pvec.select [[M]]
// CHECK:           [[B:%.*]] = pvec.select [[M]]
// CHECK:           pvec.group_distance [[A]], [[B]] to {{%.*}} : vector<16xi8> -> vector<4xi32>

// With signs, too: both are turned by 128 before.
func.func @signed_distance(%A : memref<?xi8>, %B : memref<?xi8>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<4xi8>
    %a = pvec.convert "extsi", %a0 : vector<4xi8> -> vector<4xi32>
    %b0 = pvec.read %B[%v] masked %m : memref<?xi8>, vector<4xi8>
    %b = pvec.convert "extsi", %b0 : vector<4xi8> -> vector<4xi32>
    %d = arith.subi %a, %b : vector<4xi32>
    %e = arith.subi %z, %d : vector<4xi32>
    %g = arith.maxsi %e, %d : vector<4xi32>
    %t = arith.addi %s, %g : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @signed_distance(
// CHECK:           arith.constant dense<-128> : vector<16xi8>
// CHECK:           arith.xori
// CHECK:           pvec.group_distance

// A difference of bytes fits 16 bits, and so does what it is multiplied with.
func.func @squares(%A : memref<?xi8>, %B : memref<?xi8>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<4xi8>
    %a = pvec.convert "extui", %a0 : vector<4xi8> -> vector<4xi32>
    %b0 = pvec.read %B[%v] masked %m : memref<?xi8>, vector<4xi8>
    %b = pvec.convert "extui", %b0 : vector<4xi8> -> vector<4xi32>
    %d = arith.subi %a, %b : vector<4xi32>
    %p = arith.muli %d, %d : vector<4xi32>
    %t = arith.addi %s, %p : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @squares(
// CHECK:           [[D:%.*]] = arith.subi {{%.*}}, {{%.*}} : vector<8xi16>
// CHECK:           pvec.group_dot "extsi"

// A sum of two halves does not fit a half, but each of them does.
func.func @both(%A : memref<?xi16>, %B : memref<?xi16>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi16>, vector<4xi16>
    %a = pvec.convert "extsi", %a0 : vector<4xi16> -> vector<4xi32>
    %b0 = pvec.read %B[%v] masked %m : memref<?xi16>, vector<4xi16>
    %b = pvec.convert "extsi", %b0 : vector<4xi16> -> vector<4xi32>
    %p = arith.addi %a, %b : vector<4xi32>
    %t = arith.addi %s, %p : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @both(
// CHECK:           [[ONES:%.*]] = arith.constant dense<1> : vector<8xi16>
// CHECK:           [[T:%.*]] = pvec.group_dot "extsi" {{%.*}}, "extsi" [[ONES]]
// CHECK:           pvec.group_dot "extsi" {{%.*}}, "extsi" {{%.*}} to [[T]]
