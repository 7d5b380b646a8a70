// Rows in lanes, each behind the one before, are not all there at the ends: eight rows of five
// iterations take twelve steps, each with some of them missing.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3"}' | filecheck %s

func.func @short(%n : index, %A : memref<?x7xf64>) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to 6 {
      %x = affine.load %A[%i - 1, %j] : memref<?x7xf64>
      %y = affine.load %A[%i, %j - 1] : memref<?x7xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<?x7xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @short
// CHECK-NEXT:    affine.for %i = 1 to
// CHECK-NEXT:      affine.for %j = 1 to 6
// CHECK-NOT:     vector<

func.func @long(%n : index, %A : memref<?x601xf64>) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to 600 {
      %x = affine.load %A[%i - 1, %j] : memref<?x601xf64>
      %y = affine.load %A[%i, %j - 1] : memref<?x601xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<?x601xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @long
// CHECK:         vector<4xf64>
