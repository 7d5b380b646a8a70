// for (i) { for (j) A[i][j] = i; }   rows in tiles of two, jammed into the loop over j
// A full tile is tested once, before the loop over j, and has neither bounds nor tests in it; a
// partial tile keeps its loop.
// RUN: polyopt-opt %s -p affine-unroll | filecheck %s

func.func @rows(%A : memref<?x100xindex>, %n : index) {
  affine.for %it = 0 to %n step 2 {
    affine.for %i = affine_map<(d0) -> (d0)>(%it) to min affine_map<(d0)[s0] -> (d0 + 2, s0)>(%it)[%n] {
      affine.for %j = 0 to 100 {
        affine.store %i, %A[%i, %j] : memref<?x100xindex>
      } {poly.loop = #poly.loop<parallel>}
    } {poly.loop = #poly.loop<unroll, jam>}
  }
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    affine.for %it = 0 to %n step 2 {
// CHECK-NEXT:      "affine.if"(%n, %it) <{condition = affine_set<(d0, d1) : (((d0 + (d1 * -1)) + -2) >= 0)>}> ({
// CHECK-NEXT:        affine.for %j = 0 to 100 {
// CHECK-NEXT:          affine.store %it, %A[%it, %j] : memref<?x100xindex>
// CHECK-NEXT:          [[NEXT:%.*]] = affine.apply affine_map<(d0) -> ((d0 + 1))> (%it)
// CHECK-NEXT:          affine.store [[NEXT]], %A[%it + 1, %j] : memref<?x100xindex>
// CHECK-NEXT:        } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }, {
// CHECK-NEXT:        affine.for %j_1 = 0 to 100 {
// CHECK-NEXT:          affine.for %i = affine_map<(d0) -> (d0)>(%it) to min affine_map<(d0)[s0] -> ((d0 + 2), s0)>(%it)[%n] {
// CHECK-NEXT:            affine.store %i, %A[%i, %j_1] : memref<?x100xindex>
// CHECK-NEXT:          } {poly.loop = #poly.loop<jam>}
// CHECK-NEXT:        } {poly.loop = #poly.loop<parallel>}
