// for (i) { if (i >= 1) A[i] = i;  if (i < n - 1) B[i] = i; }
// The loop is cut where a test changes: the first and the last iteration stand apart.
// RUN: polyopt-opt %s -p affine-split-guards | filecheck %s
// RUN: polyopt-opt %s -p "affine-split-guards{max-guards=0}" | filecheck %s --check-prefix=NONE

func.func @shifted(%A : memref<?xindex>, %B : memref<?xindex>, %n : index) {
  affine.for %i = 0 to %n {
    "affine.if"(%i) ({
      affine.store %i, %A[%i] : memref<?xindex>
      "affine.yield"() : () -> ()
    }, {}) {condition = affine_set<(d0) : (d0 - 1 >= 0)>} : (index) -> ()
    "affine.if"(%i, %n) ({
      affine.store %i, %B[%i] : memref<?xindex>
      "affine.yield"() : () -> ()
    }, {}) {condition = affine_set<(d0)[s0] : (s0 - d0 - 2 >= 0)>} : (index, index) -> ()
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @shifted
// CHECK-NEXT:    affine.for %i = 0 to min affine_map<(d0) -> ((d0 + -1), 1)>(%n) {
// CHECK-NEXT:      affine.store %i, %B[%i] : memref<?xindex>
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:    affine.for %i_1 = 1 to affine_map<(d0) -> ((d0 + -1))>(%n) {
// CHECK-NEXT:      affine.store %i_1, %A[%i_1] : memref<?xindex>
// CHECK-NEXT:      affine.store %i_1, %B[%i_1] : memref<?xindex>
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:    affine.for %i_2 = max affine_map<(d0) -> (1, (d0 + -1))>(%n) to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:      affine.store %i_2, %A[%i_2] : memref<?xindex>
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:    func.return

// NONE: affine.for %i = 0 to %n {
// NONE-NEXT: "affine.if"
