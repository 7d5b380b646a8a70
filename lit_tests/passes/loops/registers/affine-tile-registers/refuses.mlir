// Columns that depend on one another, bytes that lie apart in memory, and stores that move with
// the serial loop keep their loops.
// RUN: polyopt-opt %s -p affine-tile-registers | filecheck %s

func.func @carried(%n : index, %A : memref<?x?xf64> {llvm.noalias}, %C : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 1 to %n {
      affine.for %p = 0 to %n {
        %a = affine.load %A[%i, %p] : memref<?x?xf64>
        %b = affine.load %C[%i, %j - 1] : memref<?x?xf64>
        %ab = arith.mulf %a, %b : f64
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %s = arith.addf %c, %ab : f64
        affine.store %s, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @carried
// CHECK-NOT:     vector

func.func @apart(%n : index, %A : memref<?x?xi8> {llvm.noalias}, %C : memref<?x?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %p = 0 to %n {
        %a = affine.load %A[%j, %p] : memref<?x?xi8>
        %c = affine.load %C[%i, %j] : memref<?x?xi8>
        %s = arith.addi %c, %a : i8
        affine.store %s, %C[%i, %j] : memref<?x?xi8>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @apart
// CHECK-NOT:     vector

func.func @moving(%n : index, %A : memref<?x?xf64> {llvm.noalias}, %C : memref<?x?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      affine.for %p = 0 to %n {
        affine.store %a, %C[%p, %i, %j] : memref<?x?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @moving
// CHECK-NOT:     vector
// CHECK:         func.return

// A row that is no longer than a vector, of which nothing is computed.
func.func @copied(%A : memref<8xf64> {llvm.noalias}, %B : memref<8xf64> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf64>
    affine.store %a, %B[%i] : memref<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @copied
// CHECK-NOT:     vector
// CHECK:         func.return
