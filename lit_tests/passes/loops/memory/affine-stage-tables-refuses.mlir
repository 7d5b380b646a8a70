// RUN: polyopt-opt %s -p 'affine-stage-tables{march="icelake-server"}' | filecheck %s

// CHECK-NOT: memref.alloca

// The table may be written by the loop.
// CHECK-LABEL: func.func @written
// CHECK:         memref.load %t[
func.func @written(%d: memref<?xi8>, %s: memref<?xi8> {llvm.noalias}, %t: memref<?xi8>, %n: index) {
  affine.for %i = 0 to %n {
    %b = affine.load %s[%i] : memref<?xi8>
    %w = arith.extui %b : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %v = memref.load %t[%k] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}

// Each place comes from what the iteration before has looked up.
// CHECK-LABEL: func.func @chain
// CHECK:         memref.load %t[
func.func @chain(%d: memref<?xi8> {llvm.noalias}, %t: memref<?xi8> {llvm.noalias}, %n: index) {
  affine.for %i = 1 to %n {
    %b = affine.load %d[%i - 1] : memref<?xi8>
    %w = arith.extui %b : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %v = memref.load %t[%k] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}

// Words may be any place; so may bytes with a sign.
// CHECK-LABEL: func.func @words
// CHECK:         memref.load %t[
func.func @words(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi16> {llvm.noalias},
                 %t: memref<?xi8> {llvm.noalias}, %n: index) {
  affine.for %i = 0 to %n {
    %b = affine.load %s[%i] : memref<?xi16>
    %w = arith.extui %b : i16 to i64
    %k = arith.index_cast %w : i64 to index
    %v = memref.load %t[%k] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @signed
// CHECK:         memref.load %t[
func.func @signed(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias},
                  %t: memref<?xi8> {llvm.noalias}, %n: index) {
  affine.for %i = 0 to %n {
    %b = affine.load %s[%i] : memref<?xi8>
    %k = arith.index_cast %b : i8 to index
    %v = memref.load %t[%k] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}

// Few iterations.
// CHECK-LABEL: func.func @few
// CHECK:         memref.load %t[
func.func @few(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias},
               %t: memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to 191 {
    %b = affine.load %s[%i] : memref<?xi8>
    %w = arith.extui %b : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %v = memref.load %t[%k] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}

// What has no lanes: a histogram of what is looked up.
// CHECK-LABEL: func.func @histogram
// CHECK:         memref.load %t[
func.func @histogram(%h: memref<256xi32> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias},
                     %t: memref<?xi8> {llvm.noalias}, %n: index) {
  affine.for %i = 0 to %n {
    %b = affine.load %s[%i] : memref<?xi8>
    %w = arith.extui %b : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %v = memref.load %t[%k] : memref<?xi8>
    %x = arith.extui %v : i8 to i64
    %at = arith.index_cast %x : i64 to index
    %old = memref.load %h[%at] : memref<256xi32>
    %one = arith.constant 1 : i32
    %new = arith.addi %old, %one : i32
    memref.store %new, %h[%at] : memref<256xi32>
  }
  func.return
}

// Where it is looked up only if a condition holds, other places may not be there.
// CHECK-LABEL: func.func @guarded
// CHECK:         memref.load %t[
func.func @guarded(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias},
                   %t: memref<?xi8> {llvm.noalias}, %n: index) {
  affine.for %i = 0 to %n {
    %b = affine.load %s[%i] : memref<?xi8>
    %c = arith.constant 100 : i8
    %big = arith.cmpi ugt, %b, %c : i8
    scf.if %big {
      %w = arith.extui %b : i8 to i64
      %k = arith.index_cast %w : i64 to index
      %v = memref.load %t[%k] : memref<?xi8>
      affine.store %v, %d[%i] : memref<?xi8>
    }
  }
  func.return
}

// RUN: polyopt-opt %s -p 'affine-stage-tables{march="haswell"}' | filecheck %s --check-prefix=HALVES
// As many as the machine looks up in registers, and no more.
// HALVES-LABEL: func.func @nibbles
// HALVES:         memref.alloca() {alignment = 64 : i64} : memref<16xi8>
// HALVES-LABEL: func.func @whole_bytes
// HALVES-NOT:     memref.alloca
// HALVES:         memref.load %t[
func.func @nibbles(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias},
                   %t: memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to 500 {
    %b = affine.load %s[%i] : memref<?xi8>
    %w = arith.extui %b : i8 to i64
    %c4 = arith.constant 4 : i64
    %h = arith.shrui %w, %c4 : i64
    %k = arith.index_cast %h : i64 to index
    %v = memref.load %t[%k] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}

func.func @whole_bytes(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias},
                       %t: memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to 500 {
    %b = affine.load %s[%i] : memref<?xi8>
    %w = arith.extui %b : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %v = memref.load %t[%k] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}
