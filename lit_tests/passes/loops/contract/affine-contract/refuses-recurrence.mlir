// A product that reads rows which it has written before is no contraction: it stays as it is.
// RUN: polyopt-opt %s \
// RUN:   -p 'affine-contract,contract-plan{march="x86-64-v3"},contract-fuse,contract-block,contract-place,contract-to-affine' \
// RUN:   | filecheck %s

func.func @recurrence(%n : index, %A : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %x = affine.load %A[%i, %j] : memref<?x?xf64>
        %p = affine.load %A[%i, %k] : memref<?x?xf64>
        %q = affine.load %A[%k, %j] : memref<?x?xf64>
        %t = arith.mulf %p, %q : f64
        %y = arith.subf %x, %t : f64
        affine.store %y, %A[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @recurrence
// CHECK-NEXT:    affine.for %i = 0 to
// CHECK-NEXT:      affine.for %j = 0 to
// CHECK-NEXT:        affine.for %k = 0 to
// CHECK-NEXT:          affine.load %A[%i, %j]
// CHECK-NOT:     memref.alloc
