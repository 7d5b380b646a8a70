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

// With signs, too: both are moved by 128 before.
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

// A choice by which is the greater one, or by the sign, is a distance, too; by anything else it is not.
func.func @chosen(%A : memref<?xi8>, %B : memref<?xi8>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %r, %q = affine.for %v = 0 to %n step 4 iter_args(%s = %z, %k = %z) -> (vector<4xi32>, vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<4xi8>
    %a = pvec.convert "extui", %a0 : vector<4xi8> -> vector<4xi32>
    %b0 = pvec.read %B[%v] masked %m : memref<?xi8>, vector<4xi8>
    %b = pvec.convert "extui", %b0 : vector<4xi8> -> vector<4xi32>
    %d = arith.subi %a, %b : vector<4xi32>
    %e = arith.subi %z, %d : vector<4xi32>
    %p = pvec.cmpi "slt", %d, %z : vector<4xi32> -> vector<4xi1>
    %g = pvec.select %p, %e, %d : vector<4xi1>, vector<4xi32>
    %t = arith.addi %s, %g : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    %f = arith.subi %b, %a : vector<4xi32>
    %w = pvec.cmpi "sgt", %b, %a : vector<4xi32> -> vector<4xi1>
    %h = pvec.select %w, %f, %d : vector<4xi1>, vector<4xi32>
    %i = arith.addi %k, %h : vector<4xi32>
    %j = pvec.select %m, %i, %k : vector<4xi1>, vector<4xi32>
    affine.yield %u, %j : vector<4xi32>, vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  %y = vector.reduction <add>, %q : vector<4xi32> into i32
  %c = arith.addi %x, %y : i32
  func.return %c : i32
}

// CHECK-LABEL: @chosen(
// CHECK:           pvec.group_distance
// CHECK:           pvec.group_distance

func.func @least_difference(%A : memref<?xi8>, %B : memref<?xi8>, %n : index) -> i32 {
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
    %e = arith.subi %z, %d : vector<4xi32>
    %p = pvec.cmpi "slt", %d, %z : vector<4xi32> -> vector<4xi1>
    %g = pvec.select %p, %d, %e : vector<4xi1>, vector<4xi32>
    %t = arith.addi %s, %g : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @least_difference(
// CHECK-NOT:       pvec.group_distance

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

// What is counted: one or zero is as far from zero in a byte, and bytes are compared as bytes.
func.func @counted(%A : memref<?xi8>, %n : index) -> i64 {
  %o = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a65 = arith.constant 65 : i32
  %z26 = arith.constant 26 : i32
  %z = vector.broadcast %o : i64 to vector<2xi64>
  %r = affine.for %v = 0 to %n step 2 iter_args(%s = %z) -> (vector<2xi64>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<2xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<2xi8>
    %a = pvec.convert "extui", %a0 : vector<2xi8> -> vector<2xi32>
    %first = vector.broadcast %a65 : i32 to vector<2xi32>
    %many = vector.broadcast %z26 : i32 to vector<2xi32>
    %d = arith.subi %a, %first : vector<2xi32>
    %c = pvec.cmpi "ult", %d, %many : vector<2xi32> -> vector<2xi1>
    %ones = vector.broadcast %one : i64 to vector<2xi64>
    %zeros = vector.broadcast %o : i64 to vector<2xi64>
    %p = pvec.select %c, %ones, %zeros : vector<2xi1>, vector<2xi64>
    %t = arith.addi %s, %p : vector<2xi64>
    %u = pvec.select %m, %t, %s : vector<2xi1>, vector<2xi64>
    affine.yield %u : vector<2xi64>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<2xi64> into i64
  func.return %x : i64
}

// CHECK-LABEL: @counted(
// CHECK:         pvec.cmpi "ult", {{%.*}}, {{%.*}} : vector<[[N:[0-9]+]]xi8> -> vector<[[N]]xi1>
// CHECK:         pvec.group_distance {{%.*}} : vector<[[N]]xi8> -> vector<{{[0-9]+}}xi64>

// Every other element, and shifts; of products that are added up each takes one operation with the sum.
func.func @nibbles(%A : memref<?xi8>, %B : memref<?xi8>, %n : index) -> i32 {
  %o = arith.constant 0 : i32
  %z = vector.broadcast %o : i32 to vector<4xi32>
  %fifteen = arith.constant dense<15> : vector<4xi32>
  %four = arith.constant dense<4> : vector<4xi32>
  %r = affine.for %v = 0 to %n step 4 iter_args(%s = %z) -> (vector<4xi32>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<4xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<4xi8>
    %a = pvec.convert "extui", %a0 : vector<4xi8> -> vector<4xi32>
    %low = arith.andi %a, %fifteen : vector<4xi32>
    %high = arith.shrsi %a, %four : vector<4xi32>
    %b0 = pvec.read %B[%v * 2] by [2] within [0, 1] masked %m : memref<?xi8>, vector<4xi8>
    %b = pvec.convert "extsi", %b0 : vector<4xi8> -> vector<4xi32>
    %c0 = pvec.read %B[%v * 2 + 1] by [2] within [-1, 0] masked %m : memref<?xi8>, vector<4xi8>
    %c = pvec.convert "extsi", %c0 : vector<4xi8> -> vector<4xi32>
    %p = arith.muli %low, %b : vector<4xi32>
    %q = arith.muli %high, %c : vector<4xi32>
    %pq = arith.addi %p, %q : vector<4xi32>
    %t = arith.addi %pq, %s : vector<4xi32>
    %u = pvec.select %m, %t, %s : vector<4xi1>, vector<4xi32>
    affine.yield %u : vector<4xi32>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<4xi32> into i32
  func.return %x : i32
}

// CHECK-LABEL: @nibbles(
// CHECK:           step 8
// CHECK:           [[A:%.*]] = pvec.read %A[%v] masked
// CHECK:           [[E:%.*]] = pvec.convert "extui", [[A]] : vector<8xi8> -> vector<8xi16>
// CHECK:           arith.andi [[E]]
// CHECK:           pvec.read %B[%v * 2] by [2] within [0, 1] masked {{%.*}} : memref<?xi8>, vector<8xi8>
// CHECK:           [[T:%.*]] = pvec.group_dot
// CHECK:           arith.shrsi {{%.*}} : vector<8xi16>
// CHECK:           pvec.group_dot {{.*}} to [[T]] : vector<8xi16> -> vector<4xi32>
// FOUR-LABEL: @nibbles(
// FOUR:           step 16
// FOUR:           [[L:%.*]] = arith.andi {{.*}} : vector<16xi8>
// FOUR:           [[T:%.*]] = pvec.group_dot "extui" {{.*}}, "extsi" {{.*}} : vector<16xi8> -> vector<4xi32>
// FOUR:           arith.shrui {{.*}} : vector<16xi8>
// FOUR:           pvec.group_dot "extui" {{.*}}, "extsi" {{.*}} to [[T]] : vector<16xi8> -> vector<4xi32>

// Bits of bytes are counted in bytes, as many as there are in a register.
func.func @bits(%A : memref<?xi8>, %B : memref<?xi8>, %n : index) -> i64 {
  %o = arith.constant 0 : i64
  %z = vector.broadcast %o : i64 to vector<2xi64>
  %r = affine.for %v = 0 to %n step 2 iter_args(%s = %z) -> (vector<2xi64>) {
    %left = affine.apply affine_map<(d0)[s0] -> (s0 - d0)> (%v)[%n]
    %m = vector.create_mask %left : vector<2xi1>
    %a0 = pvec.read %A[%v] masked %m : memref<?xi8>, vector<2xi8>
    %a = pvec.convert "extui", %a0 : vector<2xi8> -> vector<2xi32>
    %b0 = pvec.read %B[%v] masked %m : memref<?xi8>, vector<2xi8>
    %b = pvec.convert "extui", %b0 : vector<2xi8> -> vector<2xi32>
    %x = arith.xori %a, %b : vector<2xi32>
    %c = math.ctpop %x : vector<2xi32>
    %p = pvec.convert "extsi", %c : vector<2xi32> -> vector<2xi64>
    %t = arith.addi %s, %p : vector<2xi64>
    %u = pvec.select %m, %t, %s : vector<2xi1>, vector<2xi64>
    affine.yield %u : vector<2xi64>
  } {poly.loop = #poly.loop<interleave = 4>}
  %x = vector.reduction <add>, %r : vector<2xi64> into i64
  func.return %x : i64
}

// CHECK-LABEL: @bits(
// CHECK:         [[C:%.*]] = math.ctpop {{%.*}} : vector<16xi8>
// CHECK:         pvec.select {{%.*}}, [[C]], {{%.*}} : vector<16xi1>, vector<16xi8>
// CHECK:         pvec.group_distance {{%.*}} : vector<16xi8> -> vector<2xi64>
