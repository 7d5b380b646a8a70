// RUN: polyopt-opt -p affine-flatten-nests %s | filecheck %s

// A short loop that goes on where it was left an iteration of the loop around before is one with it.

// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:    affine.for %b = 0 to affine_map<(d0) -> ((d0 * 4))>(%n) {
// CHECK-NEXT:      [[V0:%.+]] = affine.load %s[%b * 4 + 1] : memref<?xi8>
// CHECK-NEXT:      affine.store [[V0]], %d[%b * 4] : memref<?xi8>
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel, iterator = "b">}
// CHECK-NEXT:    func.return
func.func @columns(%n : index, %s : memref<?xi8>, %d : memref<?xi8>) {
  affine.for %b = 0 to %n {
    affine.for %c = 0 to 4 {
      %x = affine.load %s[%b * 16 + %c * 4 + 1] : memref<?xi8>
      affine.store %x, %d[%b * 16 + %c * 4] : memref<?xi8>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "b">}
  func.return
}

// Rows of three as rows of an array: the array is seen as one stretch. What is the same for all is
// the same for one loop.

// CHECK-LABEL: func.func @rows(
// CHECK:         [[A:%.+]] = cmem.view {{%.+}}[] : memref<?xf32>
// CHECK:         affine.for %i = 0 to affine_map<(d0) -> ((d0 * 3))>(%n) {
// CHECK-NEXT:      [[S:%.+]] = affine.load %s[0] : memref<?xf32>
// CHECK-NEXT:      [[X:%.+]] = affine.load [[A]][%i] : memref<?xf32>
// CHECK-NEXT:      [[Y:%.+]] = arith.mulf [[X]], [[S]] : f32
// CHECK-NEXT:      affine.store [[Y]], [[A]][%i] : memref<?xf32>
// CHECK-NEXT:    }
func.func @rows(%n : index, %a : memref<?x3xf32>, %s : memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 3 {
      %f = affine.load %s[0] : memref<?xf32>
      %x = affine.load %a[%i, %c] : memref<?x3xf32>
      %y = arith.mulf %x, %f : f32
      affine.store %y, %a[%i, %c] : memref<?x3xf32>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
