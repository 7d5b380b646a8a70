// A marked loop without a constant range, or with one too long, stays as it is.
// RUN: polyopt-opt %s -p affine-unroll | filecheck %s
// RUN: polyopt-opt %s -p "affine-unroll{max-copies=3}" | filecheck %s --check-prefix=FEW

func.func @loops(%A : memref<?xindex>, %n : index) {
  affine.for %i = 0 to %n {
    affine.store %i, %A[%i] : memref<?xindex>
  } {poly.loop = #poly.loop<unroll>}
  affine.for %i = 0 to 4 {
    affine.store %n, %A[%i] : memref<?xindex>
  } {poly.loop = #poly.loop<unroll>}
  func.return
}

// CHECK-LABEL: func.func @loops
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      affine.store %i, %A[%i] : memref<?xindex>
// CHECK-NEXT:    } {poly.loop = #poly.loop<unroll>}
// CHECK-NEXT:    affine.store %n, %A[0] : memref<?xindex>
// CHECK-NEXT:    affine.store %n, %A[1] : memref<?xindex>
// CHECK-NEXT:    affine.store %n, %A[2] : memref<?xindex>
// CHECK-NEXT:    affine.store %n, %A[3] : memref<?xindex>

// FEW: affine.for %i_1 = 0 to 4
