// Bytes that fill groups together are put together in registers, where bytes are shuffled across all
// of one; pairs, and bytes of other machines, are left to LLVM.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4+avx512vbmi"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s --check-prefix LEFT

// CHECK-LABEL: func.func @three
// CHECK:         pvec.write_in_turns ({{%.*, %.*, %.*}}), %B[%{{.*}} * 3]
// LEFT-LABEL:  func.func @three
// LEFT-NOT:      pvec.write
// LEFT:          affine.store
func.func @three(%n : index, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i * 3] : memref<?xi8>
    %b = affine.load %A[%i * 3 + 1] : memref<?xi8>
    %c = affine.load %A[%i * 3 + 2] : memref<?xi8>
    %x = arith.addi %a, %b : i8
    %y = arith.addi %b, %c : i8
    %z = arith.addi %c, %a : i8
    affine.store %x, %B[%i * 3] : memref<?xi8>
    affine.store %y, %B[%i * 3 + 1] : memref<?xi8>
    affine.store %z, %B[%i * 3 + 2] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// A part of a group in place: one byte in four stays what it is.
// CHECK-LABEL: func.func @part
// CHECK:         pvec.write_in_turns
// LEFT-LABEL:  func.func @part
// LEFT-NOT:      pvec.write
func.func @part(%n : index, %x : i8, %A : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i * 4] : memref<?xi8>
    %b = affine.load %A[%i * 4 + 1] : memref<?xi8>
    %c = affine.load %A[%i * 4 + 2] : memref<?xi8>
    %p = arith.addi %a, %x : i8
    %q = arith.addi %b, %x : i8
    %r = arith.addi %c, %x : i8
    affine.store %p, %A[%i * 4] : memref<?xi8>
    affine.store %q, %A[%i * 4 + 1] : memref<?xi8>
    affine.store %r, %A[%i * 4 + 2] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @two
// CHECK-NOT:     pvec.write
// LEFT-LABEL:  func.func @two
// LEFT-NOT:      pvec.write
func.func @two(%n : index, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i * 2] : memref<?xi8>
    %b = affine.load %A[%i * 2 + 1] : memref<?xi8>
    %x = arith.addi %a, %b : i8
    %y = arith.subi %a, %b : i8
    affine.store %x, %B[%i * 2] : memref<?xi8>
    affine.store %y, %B[%i * 2 + 1] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
