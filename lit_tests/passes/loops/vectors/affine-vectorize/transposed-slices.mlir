// Squares that fill lines follow each other along the rows that are loaded; where a slice of an array is loaded that
// the first cache holds, along the rows that are stored.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

func.func @slices(%n : index, %A : memref<?x32x40xf64> {llvm.noalias}, %B : memref<40x?x32xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %k = 0 to 40 {
      affine.for %j = 0 to 32 {
        %a = affine.load %A[%i, %j, %k] : memref<?x32x40xf64>
        affine.store %a, %B[%k, %i, %j] : memref<40x?x32xf64>
      } {poly.loop = #poly.loop<parallel>}
    } {poly.loop = #poly.loop<parallel>}
  }
  func.return
}

// CHECK-LABEL: func.func @slices
// CHECK:         affine.for %k {{.*}} step 8
// CHECK:           affine.for %j {{.*}} step 8

func.func @greater(%n : index, %A : memref<?x320x400xf64> {llvm.noalias}, %B : memref<400x?x320xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %k = 0 to 400 {
      affine.for %j = 0 to 320 {
        %a = affine.load %A[%i, %j, %k] : memref<?x320x400xf64>
        affine.store %a, %B[%k, %i, %j] : memref<400x?x320xf64>
      } {poly.loop = #poly.loop<parallel>}
    } {poly.loop = #poly.loop<parallel>}
  }
  func.return
}

// CHECK-LABEL: func.func @greater
// CHECK:         affine.for %j {{.*}} step 8
// CHECK:           affine.for %k {{.*}} step 8

func.func @whole(%A : memref<32x40xf64> {llvm.noalias}, %B : memref<40x32xf64> {llvm.noalias}) {
  affine.for %k = 0 to 40 {
    affine.for %j = 0 to 32 {
      %a = affine.load %A[%j, %k] : memref<32x40xf64>
      affine.store %a, %B[%k, %j] : memref<40x32xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @whole
// CHECK:         affine.for %j {{.*}} step 8
// CHECK:           affine.for %k {{.*}} step 8
