// RUN: polyopt-opt %s -p 'affine-vectorize{march="znver4+avx512dq"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s --check-prefix=WHOLE

// Where a line is two halves to the core, a loop that waits for the loads of a window is in halves:
// fewer of these lie across two lines. Not where more is computed, or little of a row is loaded twice.

// CHECK-LABEL: func.func @greatest
// CHECK:         vector<32xi8>
// CHECK-NOT:     vector<64xi8>
// WHOLE-LABEL: func.func @greatest
// WHOLE:         vector<64xi8>
func.func @greatest(%n: index, %a: memref<?xi8> {llvm.noalias}, %b: memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xi8>
    %1 = affine.load %a[%i + 1] : memref<?xi8>
    %2 = affine.load %a[%i + 2] : memref<?xi8>
    %3 = arith.maxui %0, %1 : i8
    %4 = arith.maxui %3, %2 : i8
    affine.store %4, %b[%i] : memref<?xi8>
  }
  func.return
}

// CHECK-LABEL: func.func @mean
// CHECK-NOT:     vector<4xf64>
func.func @mean(%n: index, %s: f64, %a: memref<?xf64> {llvm.noalias}, %b: memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf64>
    %1 = affine.load %a[%i + 1] : memref<?xf64>
    %2 = affine.load %a[%i + 2] : memref<?xf64>
    %3 = arith.addf %0, %1 : f64
    %4 = arith.addf %3, %2 : f64
    %5 = arith.mulf %4, %s : f64
    affine.store %5, %b[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @little_twice
// CHECK:         vector<64xi8>
func.func @little_twice(%n: index, %a: memref<?x?xi8> {llvm.noalias}, %b: memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[0, %i] : memref<?x?xi8>
    %1 = affine.load %a[1, %i] : memref<?x?xi8>
    %2 = affine.load %a[2, %i + 1] : memref<?x?xi8>
    %3 = affine.load %a[2, %i] : memref<?x?xi8>
    %4 = arith.maxui %0, %1 : i8
    %5 = arith.maxui %2, %3 : i8
    %6 = arith.maxui %4, %5 : i8
    affine.store %6, %b[%i] : memref<?xi8>
  }
  func.return
}
