// What is of unknown size stays wide: a number of the iterator, of which nothing is known, and sums that
// a loop carries.
// RUN: polyopt-opt %s -p 'affine-narrow' | filecheck %s

// The iterator is a number of 32 bits, and nothing says how large.
func.func @beside_index(%n : index, %A : memref<?xi8>, %B : memref<?xi8>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %k = arith.index_cast %i : index to i32
    %x = arith.extui %a : i8 to i32
    %s = arith.addi %x, %k : i32
    %t = arith.trunci %s : i32 to i8
    affine.store %t, %B[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @beside_index(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %a = affine.load %A[%i] : memref<?xi8>
// CHECK-NEXT:      %k = arith.index_cast %i : index to i32
// CHECK-NEXT:      %x = arith.extui %a : i8 to i32
// CHECK-NEXT:      %s = arith.addi %x, %k : i32
// CHECK-NEXT:      %t = arith.trunci %s : i32 to i8
// CHECK-NEXT:      affine.store %t, %B[%i] : memref<?xi8>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// A loop that carries values stays as it is.
func.func @sum(%n : index, %A : memref<?xi8>, %z : i32) -> i32 {
  %r = affine.for %i = 0 to %n iter_args(%s = %z) -> (i32) {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %t = arith.addi %s, %x : i32
    affine.yield %t : i32
  }
  func.return %r : i32
}

// CHECK-LABEL: func.func @sum(
// CHECK-NEXT:    %r = affine.for %i = 0 to %n iter_args(%s = %z) -> (i32) {
// CHECK-NEXT:      %a = affine.load %A[%i] : memref<?xi8>
// CHECK-NEXT:      %x = arith.extui %a : i8 to i32
// CHECK-NEXT:      %t = arith.addi %s, %x : i32
// CHECK-NEXT:      affine.yield %t : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : i32
