// Filters whose sums are in lanes take two taps of 16 bits in a step.
// RUN: polyopt-opt %s -p affine-group-sums | filecheck %s

// Two vectors of sums go apart into even and odd ones; the last tap of an odd number is done as it was.
// CHECK-LABEL: func.func @onward
// CHECK:         [[E:%\d+]] = vector.shuffle %a, %b [0, 2, 4, 6, 8, 10, 12, 14] : vector<8xi32>, vector<8xi32>
// CHECK-NEXT:    [[O:%\d+]] = vector.shuffle %a, %b [1, 3, 5, 7, 9, 11, 13, 15] : vector<8xi32>, vector<8xi32>
// CHECK-NEXT:    affine.for %k = 0 to {{.*}} step 2 iter_args({{%\d+}} = [[E]], {{%\d+}} = [[O]])
// CHECK-NEXT:      [[H:%\d+]] = pvec.read %h[%k] : memref<?xi16>, vector<2xi16>
// CHECK-NEXT:      [[W:%\d+]] = vector.shuffle [[H]], [[H]] [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
// CHECK-NEXT:      [[X:%\d+]] = pvec.read %x[%i + %k] : memref<?xi16>, vector<16xi16>
// CHECK-NEXT:      pvec.group_dot "extsi" [[X]], "extsi" [[W]] to
// CHECK-NEXT:      [[Y:%\d+]] = pvec.read %x[%i + %k + 1] : memref<?xi16>, vector<16xi16>
// CHECK-NEXT:      pvec.group_dot "extsi" [[Y]], "extsi" [[W]] to
// CHECK:         vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK-NEXT:    vector.shuffle {{.*}} [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK:         affine.for %k_1
// CHECK:           arith.muli {{.*}} : vector<8xi32>
func.func @onward(%i : index, %n : index, %a : vector<8xi32>, %b : vector<8xi32>, %x : memref<?xi16>, %h : memref<?xi16>) -> (vector<8xi32>, vector<8xi32>) {
  %s, %t = affine.for %k = 0 to %n iter_args(%u = %a, %v = %b) -> (vector<8xi32>, vector<8xi32>) {
    %p = pvec.read %x[%i + %k] : memref<?xi16>, vector<8xi16>
    %q = pvec.read %x[%i + %k + 8] : memref<?xi16>, vector<8xi16>
    %pw = pvec.convert "extsi", %p : vector<8xi16> -> vector<8xi32>
    %qw = pvec.convert "extsi", %q : vector<8xi16> -> vector<8xi32>
    %f = affine.load %h[%k] : memref<?xi16>
    %fw = arith.extsi %f : i16 to i32
    %g = vector.broadcast %fw : i32 to vector<8xi32>
    %pg = arith.muli %pw, %g : vector<8xi32>
    %qg = arith.muli %g, %qw : vector<8xi32>
    %un = arith.addi %u, %pg : vector<8xi32>
    %vn = arith.addi %qg, %v : vector<8xi32>
    affine.yield %un, %vn : vector<8xi32>, vector<8xi32>
  }
  func.return %s, %t : vector<8xi32>, vector<8xi32>
}

// Factors that run backward change places; of an even number of taps nothing is left over. One
// vector goes apart in halves.
// CHECK-LABEL: func.func @backward
// CHECK:         vector.shuffle %a, %a [0, 2, 4, 6] : vector<8xi32>, vector<8xi32>
// CHECK:         affine.for %k = 0 to {{.*}} step 2
// CHECK-NEXT:      [[H:%\d+]] = pvec.read %h[%k * -1 + 10] : memref<?xi16>, vector<2xi16>
// CHECK-NEXT:      vector.shuffle [[H]], [[H]] [1, 0, 1, 0, 1, 0, 1, 0]
// CHECK:           pvec.group_dot {{.*}} : vector<8xi16> -> vector<4xi32>
// CHECK:         vector.shuffle {{.*}} [0, 4, 1, 5, 2, 6, 3, 7]
// CHECK-NOT:     affine.for
// CHECK:         func.return
func.func @backward(%i : index, %a : vector<8xi32>, %x : memref<?xi16>, %h : memref<?xi16>) -> vector<8xi32> {
  %s = affine.for %k = 0 to 12 iter_args(%u = %a) -> (vector<8xi32>) {
    %p = pvec.read %x[%i + %k] : memref<?xi16>, vector<8xi16>
    %pw = pvec.convert "extsi", %p : vector<8xi16> -> vector<8xi32>
    %f = affine.load %h[%k * -1 + 11] : memref<?xi16>
    %fw = arith.extsi %f : i16 to i32
    %g = vector.broadcast %fw : i32 to vector<8xi32>
    %pg = arith.muli %pw, %g : vector<8xi32>
    %un = arith.addi %u, %pg : vector<8xi32>
    affine.yield %un : vector<8xi32>
  }
  func.return %s : vector<8xi32>
}

// Every other element: those of two taps do not lie side by side.
// CHECK-LABEL: func.func @every_other
// CHECK-NOT:     pvec.group_dot
// CHECK:         func.return
func.func @every_other(%i : index, %n : index, %a : vector<8xi32>, %x : memref<?xi16>, %h : memref<?xi16>) -> vector<8xi32> {
  %s = affine.for %k = 0 to %n iter_args(%u = %a) -> (vector<8xi32>) {
    %p = pvec.read %x[%i + %k * 2] : memref<?xi16>, vector<8xi16>
    %pw = pvec.convert "extsi", %p : vector<8xi16> -> vector<8xi32>
    %f = affine.load %h[%k] : memref<?xi16>
    %fw = arith.extsi %f : i16 to i32
    %g = vector.broadcast %fw : i32 to vector<8xi32>
    %pg = arith.muli %pw, %g : vector<8xi32>
    %un = arith.addi %u, %pg : vector<8xi32>
    affine.yield %un : vector<8xi32>
  }
  func.return %s : vector<8xi32>
}

// Elements without signs; masked ones; a sum that is also multiplied.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     pvec.group_dot
// CHECK:         func.return
func.func @others(%i : index, %n : index, %a : vector<8xi32>, %m : vector<8xi1>, %x : memref<?xi16>, %h : memref<?xi16>) -> (vector<8xi32>, vector<8xi32>, vector<8xi32>) {
  %s = affine.for %k = 0 to %n iter_args(%u = %a) -> (vector<8xi32>) {
    %p = pvec.read %x[%i + %k] : memref<?xi16>, vector<8xi16>
    %pw = pvec.convert "extui", %p : vector<8xi16> -> vector<8xi32>
    %f = affine.load %h[%k] : memref<?xi16>
    %fw = arith.extsi %f : i16 to i32
    %g = vector.broadcast %fw : i32 to vector<8xi32>
    %pg = arith.muli %pw, %g : vector<8xi32>
    %un = arith.addi %u, %pg : vector<8xi32>
    affine.yield %un : vector<8xi32>
  }
  %t = affine.for %k = 0 to %n iter_args(%u = %a) -> (vector<8xi32>) {
    %p = pvec.read %x[%i + %k] masked %m : memref<?xi16>, vector<8xi16>
    %pw = pvec.convert "extsi", %p : vector<8xi16> -> vector<8xi32>
    %f = affine.load %h[%k] : memref<?xi16>
    %fw = arith.extsi %f : i16 to i32
    %g = vector.broadcast %fw : i32 to vector<8xi32>
    %pg = arith.muli %pw, %g : vector<8xi32>
    %un = arith.addi %u, %pg : vector<8xi32>
    affine.yield %un : vector<8xi32>
  }
  %v = affine.for %k = 0 to %n iter_args(%u = %a) -> (vector<8xi32>) {
    %p = pvec.read %x[%i + %k] : memref<?xi16>, vector<8xi16>
    %pw = pvec.convert "extsi", %p : vector<8xi16> -> vector<8xi32>
    %f = affine.load %h[%k] : memref<?xi16>
    %fw = arith.extsi %f : i16 to i32
    %g = vector.broadcast %fw : i32 to vector<8xi32>
    %pg = arith.muli %pw, %g : vector<8xi32>
    %ug = arith.muli %u, %g : vector<8xi32>
    %un = arith.addi %ug, %pg : vector<8xi32>
    affine.yield %un : vector<8xi32>
  }
  func.return %s, %t, %v : vector<8xi32>, vector<8xi32>, vector<8xi32>
}

// What the loop writes is written.
// CHECK-LABEL: func.func @written
// CHECK-NOT:     pvec.group_dot
// CHECK:         affine.store
func.func @written(%i : index, %n : index, %a : vector<8xi32>, %x : memref<?xi16>, %h : memref<?xi16>, %o : memref<?xi16>) -> vector<8xi32> {
  %s = affine.for %k = 0 to %n iter_args(%u = %a) -> (vector<8xi32>) {
    %p = pvec.read %x[%i + %k] : memref<?xi16>, vector<8xi16>
    %pw = pvec.convert "extsi", %p : vector<8xi16> -> vector<8xi32>
    %f = affine.load %h[%k] : memref<?xi16>
    affine.store %f, %o[%k] : memref<?xi16>
    %fw = arith.extsi %f : i16 to i32
    %g = vector.broadcast %fw : i32 to vector<8xi32>
    %pg = arith.muli %pw, %g : vector<8xi32>
    %un = arith.addi %u, %pg : vector<8xi32>
    affine.yield %un : vector<8xi32>
  }
  func.return %s : vector<8xi32>
}
