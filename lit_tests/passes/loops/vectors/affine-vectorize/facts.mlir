// What a loop is called says nothing of what it carries: the dependences are computed, and both loops
// become vectors. A loop that is said to be serial is left alone, one that is said nothing of and
// carries a dependence too.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s

func.func @plain(%A : memref<64xf64> {llvm.noalias}, %B : memref<64xf64> {llvm.noalias}) {
  affine.for %i = 0 to 64 {
    %x = affine.load %A[%i] : memref<64xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %B[%i] : memref<64xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @plain
// CHECK:         arith.mulf {{.*}} : vector<4xf64>

func.func @named(%A : memref<64xf64> {llvm.noalias}, %B : memref<64xf64> {llvm.noalias}) {
  affine.for %i = 0 to 64 {
    %x = affine.load %A[%i] : memref<64xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %B[%i] : memref<64xf64>
  } {poly.loop = #poly.loop<iterator = "i", point>}
  func.return
}

// CHECK-LABEL: func.func @named
// CHECK:         arith.mulf {{.*}} : vector<4xf64>

func.func @serial(%A : memref<64xf64> {llvm.noalias}, %B : memref<64xf64> {llvm.noalias}) {
  affine.for %i = 0 to 64 {
    %x = affine.load %A[%i] : memref<64xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %B[%i] : memref<64xf64>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @serial
// CHECK-NOT:     vector<

func.func @recurrence(%A : memref<65xf64> {llvm.noalias}) {
  affine.for %i = 0 to 64 {
    %x = affine.load %A[%i] : memref<65xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %A[%i + 1] : memref<65xf64>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @recurrence
// CHECK-NOT:     vector<
