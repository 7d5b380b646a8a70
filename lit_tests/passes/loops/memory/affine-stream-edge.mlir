// At the edges: one row less than the limit, and as many.
// RUN: polyopt-opt %s -p 'affine-stream{march="x86-64-v3" bytes=1048576}' | filecheck %s

// 127 rows of 8 KiB are less than 1 MiB.
func.func @below(%A : memref<?x1024xf64> {llvm.noalias}, %c : f64) {
  affine.for %i = 0 to 127 {
    affine.for %j = 0 to 1024 {
      %x = arith.mulf %c, %c : f64
      affine.store %x, %A[%i, %j] : memref<?x1024xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @below(
// CHECK-NEXT:    affine.for %i = 0 to 127 {
// CHECK-NEXT:      affine.for %j = 0 to 1024 {
// CHECK-NEXT:        %x = arith.mulf %c, %c : f64
// CHECK-NEXT:        affine.store %x, %A[%i, %j] : memref<?x1024xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// 128 rows are 1 MiB.
func.func @at(%A : memref<?x1024xf64> {llvm.noalias}, %c : f64) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 1024 {
      %x = arith.mulf %c, %c : f64
      affine.store %x, %A[%i, %j] : memref<?x1024xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @at(
// CHECK-NEXT:    affine.for %i = 0 to 128 {
// CHECK-NEXT:      affine.for %j = 0 to 1024 {
// CHECK-NEXT:        %x = arith.mulf %c, %c : f64
// CHECK-NEXT:        affine.store %x, %A[%i, %j] : memref<?x1024xf64>
// CHECK-NEXT:      } {poly.loop = #poly.loop<nontemporal = [0]>}
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
