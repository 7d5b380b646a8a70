// RUN: polyopt-opt %s -p "affine-vectorize{march=x86-64-v3}" | filecheck %s

// Words that are put together of all their bytes, in either order, are left to LLVM, which loads them
// whole; of bytes that leave one out, or lie otherwise, vectors are made.

// CHECK-LABEL: func.func @turned(
// CHECK-NOT:     vector
// CHECK:         func.return
func.func @turned(%s: memref<?xi8> {llvm.noalias}, %d: memref<?xi16> {llvm.noalias}, %n: index) {
  %c = arith.constant 8 : i16
  affine.for %i = 0 to %n {
    %a = affine.load %s[%i * 2] : memref<?xi8>
    %b = affine.load %s[%i * 2 + 1] : memref<?xi8>
    %x = arith.extui %a : i8 to i16
    %y = arith.extui %b : i8 to i16
    %z = arith.shli %x, %c : i16
    %w = arith.ori %z, %y : i16
    affine.store %w, %d[%i] : memref<?xi16>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @as_they_lie(
// CHECK-NOT:     vector
// CHECK:         func.return
func.func @as_they_lie(%s: memref<?xi8> {llvm.noalias}, %d: memref<?xi16> {llvm.noalias}, %n: index) {
  %c = arith.constant 8 : i16
  affine.for %i = 0 to %n {
    %a = affine.load %s[%i * 2] : memref<?xi8>
    %b = affine.load %s[%i * 2 + 1] : memref<?xi8>
    %x = arith.extui %a : i8 to i16
    %y = arith.extui %b : i8 to i16
    %z = arith.shli %y, %c : i16
    %w = arith.ori %z, %x : i16
    affine.store %w, %d[%i] : memref<?xi16>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @twice_the_same(
// CHECK:         vector
// CHECK:         func.return
func.func @twice_the_same(%s: memref<?xi8> {llvm.noalias}, %d: memref<?xi16> {llvm.noalias}, %n: index) {
  %c = arith.constant 8 : i16
  affine.for %i = 0 to %n {
    %a = affine.load %s[%i * 2 + 1] : memref<?xi8>
    %x = arith.extui %a : i8 to i16
    %z = arith.shli %x, %c : i16
    %w = arith.ori %z, %x : i16
    affine.store %w, %d[%i] : memref<?xi16>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @half(
// CHECK:         vector
// CHECK:         func.return
func.func @half(%s: memref<?xi8> {llvm.noalias}, %d: memref<?xi32> {llvm.noalias}, %n: index) {
  %c = arith.constant 8 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %s[%i * 2] : memref<?xi8>
    %b = affine.load %s[%i * 2 + 1] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %y = arith.extui %b : i8 to i32
    %z = arith.shli %x, %c : i32
    %w = arith.ori %z, %y : i32
    affine.store %w, %d[%i] : memref<?xi32>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
