// Problems that know of each other, and such as wait for nothing, stay as they are.
// RUN: polyopt-opt -p 'affine-batches{march="x86-64-v3" force=true}' %s | filecheck %s

// CHECK-LABEL: func.func @chain
// CHECK-NOT:     vector<
func.func @chain(%n : index, %c : f64, %A : memref<?x5xf64> {llvm.noalias}) {
  affine.for %b = 1 to %n {
    affine.for %k = 1 to 5 {
      %0 = affine.load %A[%b - 1, %k - 1] : memref<?x5xf64>
      %1 = affine.load %A[%b, %k - 1] : memref<?x5xf64>
      %2 = arith.mulf %0, %1 : f64
      affine.store %2, %A[%b, %k] : memref<?x5xf64>
    }
  }
  return
}

// CHECK-LABEL: func.func @rows
// CHECK-NOT:     vector<
func.func @rows(%n : index, %c : f64, %A : memref<?x5xf64> {llvm.noalias}) {
  affine.for %b = 0 to %n {
    affine.for %k = 0 to 5 {
      %0 = affine.load %A[%b, %k] : memref<?x5xf64>
      %1 = arith.mulf %0, %c : f64
      affine.store %1, %A[%b, %k] : memref<?x5xf64>
    }
  }
  return
}
