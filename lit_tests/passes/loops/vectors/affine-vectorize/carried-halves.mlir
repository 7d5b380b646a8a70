// Where a line takes as long as two halves, vectors are halves if some that a step reads are those of
// the step before, as they are: these are carried, and lines are not.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="znver4+avx512dq"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s --check-prefix=LINES

// It does: u[k + 4] is u[k] of four iterations later.
func.func @half_a_line(%u : memref<1010xf64> {llvm.noalias}, %x : memref<1010xf64> {llvm.noalias}) {
  affine.for %k = 0 to 1000 {
    %0 = affine.load %u[%k] : memref<1010xf64>
    %1 = affine.load %u[%k + 4] : memref<1010xf64>
    %s = arith.addf %0, %1 : f64
    affine.store %s, %x[%k] : memref<1010xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @half_a_line
// CHECK:         vector<4xf64>
// CHECK-NOT:     vector<8xf64>
// LINES-LABEL: func.func @half_a_line
// LINES:         vector<8xf64>

// It refuses: neither of two neighbours is the other one of the step before.
func.func @two(%u : memref<1010xf64> {llvm.noalias}, %x : memref<1010xf64> {llvm.noalias}) {
  affine.for %k = 0 to 1000 {
    %0 = affine.load %u[%k] : memref<1010xf64>
    %1 = affine.load %u[%k + 1] : memref<1010xf64>
    %s0 = arith.addf %0, %1 : f64
    affine.store %s0, %x[%k] : memref<1010xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @two
// CHECK:         vector<8xf64>

// Nor what takes as long to multiply as to load.
func.func @busy(%u : memref<1010xf64> {llvm.noalias}, %x : memref<1010xf64> {llvm.noalias}) {
  affine.for %k = 0 to 1000 {
    %0 = affine.load %u[%k + 3] : memref<1010xf64>
    %4 = affine.load %u[%k + 7] : memref<1010xf64>
    %a = arith.addf %0, %4 : f64
    %b = arith.mulf %a, %0 : f64
    %c = arith.mulf %b, %4 : f64
    %d = arith.mulf %c, %a : f64
    affine.store %d, %x[%k] : memref<1010xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @busy
// CHECK:         vector<8xf64>

// Nor the row that is written: what is read of it may be new.
func.func @written(%u : memref<1010xf64> {llvm.noalias}) {
  affine.for %k = 0 to 1000 {
    %0 = affine.load %u[%k + 1] : memref<1010xf64>
    %1 = affine.load %u[%k + 5] : memref<1010xf64>
    %s = arith.addf %0, %1 : f64
    affine.store %s, %u[%k] : memref<1010xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @written
// CHECK:         vector<8xf64>

// At the edge: so short a row is not worth the vectors that it would begin with.
func.func @short(%u : memref<1010xf64> {llvm.noalias}, %x : memref<1010xf64> {llvm.noalias}) {
  affine.for %k = 0 to 40 {
    %0 = affine.load %u[%k] : memref<1010xf64>
    %1 = affine.load %u[%k + 4] : memref<1010xf64>
    %s = arith.addf %0, %1 : f64
    affine.store %s, %x[%k] : memref<1010xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @short
// CHECK:         vector<8xf64>
