// A row that needs the end of the one before cannot run in step with it, and independent
// iterations need no lanes across rows.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" force=true},share-transfers,lower-transfers' | filecheck %s

func.func @far(%n : index, %m : index, %A : memref<?x?xf64>) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %A[%i - 1, %j + 9] : memref<?x?xf64>
      %y = affine.load %A[%i, %j - 1] : memref<?x?xf64>
      %s = arith.addf %x, %y : f64
      affine.store %s, %A[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @far
// CHECK-NEXT:    affine.for %i = 1 to
// CHECK-NEXT:      affine.for %j = 1 to
// CHECK-NEXT:        affine.load
// CHECK-NOT:     vector

func.func @independent(%n : index, %A : memref<?x?xf64>) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %n {
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
      %s = arith.addf %x, %x : f64
      affine.store %s, %A[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @independent
// CHECK-NEXT:    affine.for %i = 1 to
// CHECK-NEXT:      affine.for %j = 1 to
// CHECK-NOT:     vector
