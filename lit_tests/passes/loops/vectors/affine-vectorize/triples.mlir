// Bytes of triples that are all loaded are LLVM's, which has whole registers of AVX2 for them; those
// of which one is left out, and all with AVX-512, are ours.
// RUN: polyopt-opt %s -p 'affine-vectorize{march=x86-64-v3}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march=x86-64-v4}' | filecheck %s --check-prefix=WIDE

func.func @all(%n : index, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i * 3] : memref<?xi8>
    %b = affine.load %A[%i * 3 + 1] : memref<?xi8>
    %c = affine.load %A[%i * 3 + 2] : memref<?xi8>
    %d = arith.addi %a, %b : i8
    %e = arith.addi %d, %c : i8
    affine.store %e, %B[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: @all
// CHECK-NOT:     pvec.
// CHECK-LABEL: @some
// WIDE-LABEL:  @all
// WIDE:          pvec.read
// WIDE-LABEL:  @some

func.func @some(%n : index, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i * 3] : memref<?xi8>
    %c = affine.load %A[%i * 3 + 2] : memref<?xi8>
    %e = arith.addi %a, %c : i8
    affine.store %e, %B[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK:         pvec.read
// CHECK-LABEL: @members

func.func @members(%n : index, %A : memref<?x3xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i, 0] : memref<?x3xi8>
    %b = affine.load %A[%i, 1] : memref<?x3xi8>
    %c = affine.load %A[%i, 2] : memref<?x3xi8>
    %d = arith.addi %a, %b : i8
    %e = arith.addi %d, %c : i8
    affine.store %e, %B[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-NOT:     pvec.
