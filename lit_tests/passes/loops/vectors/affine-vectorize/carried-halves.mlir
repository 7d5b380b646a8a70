// Where a line takes as long as two halves, vectors are halves if some that a step reads are those of
// the step before, as they are: these are carried, and lines are not.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="znver4+avx512dq"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s --check-prefix=LINES

// It does: u[k + 4] is u[k] of four iterations later.
func.func @seven(%u : memref<1010xf64> {llvm.noalias}, %x : memref<1010xf64> {llvm.noalias}) {
  affine.for %k = 0 to 1000 {
    %0 = affine.load %u[%k] : memref<1010xf64>
    %1 = affine.load %u[%k + 1] : memref<1010xf64>
    %2 = affine.load %u[%k + 2] : memref<1010xf64>
    %3 = affine.load %u[%k + 3] : memref<1010xf64>
    %4 = affine.load %u[%k + 4] : memref<1010xf64>
    %5 = affine.load %u[%k + 5] : memref<1010xf64>
    %s0 = arith.addf %0, %1 : f64
    %s1 = arith.addf %s0, %2 : f64
    %s2 = arith.addf %s1, %3 : f64
    %s3 = arith.addf %s2, %4 : f64
    %s4 = arith.addf %s3, %5 : f64
    affine.store %s4, %x[%k] : memref<1010xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @seven
// CHECK:         vector<4xf64>
// CHECK-NOT:     vector<8xf64>
// LINES-LABEL: func.func @seven
// LINES:         vector<8xf64>

// It refuses: none of three neighbours is another one of the step before.
func.func @three(%u : memref<1010xf64> {llvm.noalias}, %x : memref<1010xf64> {llvm.noalias}) {
  affine.for %k = 0 to 1000 {
    %0 = affine.load %u[%k] : memref<1010xf64>
    %1 = affine.load %u[%k + 1] : memref<1010xf64>
    %2 = affine.load %u[%k + 2] : memref<1010xf64>
    %s0 = arith.addf %0, %1 : f64
    %s1 = arith.addf %s0, %2 : f64
    affine.store %s1, %x[%k] : memref<1010xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @three
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
    %1 = affine.load %u[%k + 1] : memref<1010xf64>
    %2 = affine.load %u[%k + 2] : memref<1010xf64>
    %5 = affine.load %u[%k + 5] : memref<1010xf64>
    %6 = affine.load %u[%k + 6] : memref<1010xf64>
    %s1 = arith.addf %1, %2 : f64
    %s2 = arith.addf %s1, %5 : f64
    %s3 = arith.addf %s2, %6 : f64
    affine.store %s3, %u[%k] : memref<1010xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @written
// CHECK:         vector<8xf64>

// At the edge: so short a row is not worth the vectors that it would begin with.
func.func @short(%u : memref<1010xf64> {llvm.noalias}, %x : memref<1010xf64> {llvm.noalias}) {
  affine.for %k = 0 to 40 {
    %0 = affine.load %u[%k] : memref<1010xf64>
    %1 = affine.load %u[%k + 1] : memref<1010xf64>
    %2 = affine.load %u[%k + 2] : memref<1010xf64>
    %3 = affine.load %u[%k + 3] : memref<1010xf64>
    %4 = affine.load %u[%k + 4] : memref<1010xf64>
    %5 = affine.load %u[%k + 5] : memref<1010xf64>
    %s0 = arith.addf %0, %1 : f64
    %s1 = arith.addf %s0, %2 : f64
    %s2 = arith.addf %s1, %3 : f64
    %s3 = arith.addf %s2, %4 : f64
    %s4 = arith.addf %s3, %5 : f64
    affine.store %s4, %x[%k] : memref<1010xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @short
// CHECK:         vector<8xf64>
