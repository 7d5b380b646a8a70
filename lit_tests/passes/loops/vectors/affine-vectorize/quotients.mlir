// Integers that are divided by what is not known, in lanes of whole lines or halves, through the
// shortest floating-point numbers that hold them.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"}' | filecheck %s --check-prefix HALF
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64"}' | filecheck %s --check-prefix NARROW

// CHECK-LABEL: func.func @words
// CHECK:         [[Q:%.*]] = pvec.quotient [[A:%.*]], [[B:%.*]] through f64 : vector<16xi32>
// CHECK:         [[P:%.*]] = arith.muli [[Q]], [[B]]
// CHECK:         [[R:%.*]] = arith.subi [[A]], [[P]]
// CHECK:         pvec.write [[R]], %C
// HALF-LABEL: func.func @words
// HALF:         pvec.quotient {{.*}} through f64 : vector<8xi32>
// NARROW-LABEL: func.func @words
// NARROW-NOT:     pvec
func.func @words(%n : index, %A : memref<?xi32> {llvm.noalias}, %B : memref<?xi32> {llvm.noalias}, %C : memref<?xi32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi32>
    %b = affine.load %B[%i] : memref<?xi32>
    %r = arith.remsi %a, %b : i32
    affine.store %r, %C[%i] : memref<?xi32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// HALF-LABEL: func.func @bytes
// HALF:         pvec.quotient {{.*}} through f32 : vector<8xi32>
// CHECK-LABEL: func.func @bytes
// CHECK:         pvec.quotient {{.*}} through f32 : vector<16xi32>
func.func @bytes(%n : index, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}, %C : memref<?xi32> {llvm.noalias}) {
  %many = arith.constant 255 : i32
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %b = affine.load %B[%i] : memref<?xi8>
    %x = arith.extui %a : i8 to i32
    %y = arith.extui %b : i8 to i32
    %p = arith.muli %x, %many : i32
    %q = arith.divsi %p, %y : i32
    affine.store %q, %C[%i] : memref<?xi32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// What may be below zero is far above 2^23 as a number without sign.
// CHECK-LABEL: func.func @unsigned
// CHECK:         pvec.quotient {{.*}} unsigned through f64 : vector<16xi32>
func.func @unsigned(%n : index, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}, %C : memref<?xi32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %b = affine.load %B[%i] : memref<?xi8>
    %x = arith.extsi %a : i8 to i32
    %y = arith.extui %b : i8 to i32
    %q = arith.divui %x, %y : i32
    affine.store %q, %C[%i] : memref<?xi32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// No double holds all of 64 bits.
// CHECK-LABEL: func.func @longs
// CHECK-NOT:     pvec
func.func @longs(%n : index, %A : memref<?xi64> {llvm.noalias}, %B : memref<?xi64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi64>
    %b = affine.load %B[%i] : memref<?xi64>
    %q = arith.divsi %a, %b : i64
    affine.store %q, %A[%i] : memref<?xi64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
