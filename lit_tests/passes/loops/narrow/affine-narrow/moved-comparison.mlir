// What a byte is moved to is compared as the byte itself, and needs no more bits; not where the sum may wrap around.
// RUN: polyopt-opt %s -p 'affine-narrow' | filecheck %s

func.func @moved(%n : index, %A : memref<?xi8>, %B : memref<?xi8>) {
  %letter = arith.constant 97 : i32
  %half = arith.constant 13 : i32
  %all = arith.constant 26 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extsi %a : i8 to i32
    %s = arith.subi %x, %letter : i32
    %t = arith.addi %s, %half : i32
    %is_over = arith.cmpi sge, %t, %all : i32
    %u = arith.subi %t, %all : i32
    %v = arith.select %is_over, %u, %t : i32
    %w = arith.trunci %v : i32 to i8
    affine.store %w, %B[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @moved(
// CHECK:         [[C:%\d+]] = arith.constant 110 : i8
// CHECK:         %is_over = arith.cmpi sge, %a, [[C]] : i8

func.func @wraps(%n : index, %A : memref<?xi8>, %B : memref<?xi8>) {
  %c = arith.constant 32767 : i16
  %zero = arith.constant 0 : i16
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %x = arith.extsi %a : i8 to i16
    %s = arith.addi %x, %c : i16
    %is_over = arith.cmpi sge, %s, %zero : i16
    %w = arith.extui %is_over : i1 to i8
    affine.store %w, %B[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @wraps(
// CHECK:         arith.cmpi sge, %s, %zero : i16
