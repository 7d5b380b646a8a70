// Bytes out of a table that registers hold, where the machine has shuffles for them; two stores that
// fill a row together are interleaved, and what is left over runs one by one.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4+avx512vbmi"},affine-peel-masks{march="x86-64-v4+avx512vbmi"},share-transfers,lower-transfers' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"},affine-peel-masks{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s --check-prefix ALONE

func.func @translate(%n : index, %T : memref<256xi8> {llvm.noalias}, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %w = arith.extui %a : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %t = memref.load %T[%k] : memref<256xi8>
    affine.store %t, %B[%i * 2] : memref<?xi8>
    affine.store %a, %B[%i * 2 + 1] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @translate
// CHECK:         affine.for {{.*}} step 64 {
// CHECK:           [[A:%.*]] = affine.vector_load %A
// CHECK:           [[K:%.*]] = pvec.convert "trunci"
// CHECK-NEXT:      [[T:%.*]] = pvec.look_up %T{{\[}}[[K]]] : memref<256xi8>, vector<64xi8> -> vector<64xi8>
// CHECK-COUNT-2:   vector.shuffle [[T]], [[A]]
// CHECK-COUNT-2:   affine.vector_store
// CHECK:         affine.for
// CHECK:           memref.load %T
// CHECK:         } {poly.loop = #poly.loop<parallel, no_vector, no_unroll>}

// ALONE-LABEL: func.func @translate
// ALONE-NOT:     vector
// ALONE:         func.return

// A group of stores with a gap is none; a table without a known end is read where it is asked only.
func.func @refused(%n : index, %T : memref<?xi8> {llvm.noalias}, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi8>
    %w = arith.extui %a : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %t = memref.load %T[%k] : memref<?xi8>
    affine.store %t, %B[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @refused
// CHECK-NOT:     vector
// CHECK:         func.return

// AVX2 shuffles halves of a register: 16 lanes at least, in tables of at most four of these.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"}' | filecheck %s --check-prefix HALVES
// HALVES-LABEL:  func.func @translate
// HALVES-NOT:    look_up

func.func @digits(%n : index, %T : memref<64xi8> {llvm.noalias}, %A : memref<?xi32> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi32>
    %c = arith.constant 26 : i32
    %h = arith.shrui %a, %c : i32
    %k = arith.index_cast %h : i32 to index
    %t = memref.load %T[%k] : memref<64xi8>
    affine.store %t, %B[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// HALVES-LABEL:  func.func @digits
// HALVES:        pvec.look_up %T{{.*}} : memref<64xi8>, vector<16xi8> -> vector<16xi8>

func.func @greater(%n : index, %T : memref<65xi8> {llvm.noalias}, %A : memref<?xi32> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi32>
    %c = arith.constant 26 : i32
    %h = arith.shrui %a, %c : i32
    %k = arith.index_cast %h : i32 to index
    %t = memref.load %T[%k] : memref<65xi8>
    affine.store %t, %B[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// HALVES-LABEL:  func.func @greater
// HALVES-NOT:    look_up
