// for (i) for (j <= i) A[i][j] = j;   rows in tiles of four
// Below the diagonal a tile is full: the loop over j is cut where the diagonal begins.
// RUN: polyopt-opt %s -p affine-unroll | filecheck %s

func.func @triangle(%A : memref<?x100xindex>) {
  affine.for %it = 0 to 100 step 4 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 4)>(%it) {
      affine.for %i = max affine_map<(d0, d1) -> (d0, d1)>(%it, %j) to affine_map<(d0) -> (d0 + 4)>(%it) {
        affine.store %j, %A[%i, %j] : memref<?x100xindex>
      } {poly.loop = #poly.loop<unroll>}
    }
  }
  func.return
}

// CHECK-LABEL: func.func @triangle
// CHECK-NEXT:    affine.for %it = 0 to 100 step 4 {
// CHECK-NEXT:      affine.for %j = 0 to affine_map<(d0) -> ((d0 + 1))>(%it) {
// CHECK-NEXT:        affine.store %j, %A[%it, %j] : memref<?x100xindex>
// CHECK-NEXT:        affine.store %j, %A[%it + 1, %j] : memref<?x100xindex>
// CHECK-NEXT:        affine.store %j, %A[%it + 2, %j] : memref<?x100xindex>
// CHECK-NEXT:        affine.store %j, %A[%it + 3, %j] : memref<?x100xindex>
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.for %j_1 = max affine_map<(d0) -> (0, (d0 + 1))>(%it) to affine_map<(d0) -> ((d0 + 4))>(%it) {
// CHECK-NEXT:        affine.for %i = max
