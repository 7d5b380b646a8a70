// RUN: polyopt-opt -p affine-flatten-nests %s | filecheck %s

// At the edges: blocks in blocks are one loop, from the inside out; a loop that begins in the middle
// begins at its element; a row of one is no row; columns that another dimension goes through stay.

// CHECK-LABEL: func.func @blocks(
// CHECK:         affine.for %b = 0 to affine_map<(d0) -> ((d0 * 9))>(%n) {
// CHECK-NEXT:      affine.store %v, {{%.+}}[%b] : memref<?xf32>
// CHECK-NEXT:    }
func.func @blocks(%n : index, %a : memref<?x3x3xf32>, %v : f32) {
  affine.for %b = 0 to %n {
    affine.for %i = 0 to 3 {
      affine.for %j = 0 to 3 {
        affine.store %v, %a[%b, %i, %j] : memref<?x3x3xf32>
      } {poly.loop = #poly.loop<parallel, iterator = "j">}
    } {poly.loop = #poly.loop<parallel, iterator = "i">}
  } {poly.loop = #poly.loop<parallel, iterator = "b">}
  func.return
}

// CHECK-LABEL: func.func @middle(
// CHECK:         affine.for %i = 6 to affine_map<(d0) -> (((d0 * 3) + -3))>(%n) {
// CHECK-NEXT:      [[X:%.+]] = affine.load {{%.+}}[%i + -3] : memref<?xf32>
// CHECK-NEXT:      affine.store [[X]], %a[%i] : memref<?xf32>
// CHECK-NEXT:    }
func.func @middle(%n : index, %a : memref<?xf32>, %b : memref<?x3xf32>) {
  affine.for %i = 2 to affine_map<(d0) -> (d0 - 1)>(%n) {
    affine.for %c = 0 to 3 {
      %x = affine.load %b[%i - 1, %c] : memref<?x3xf32>
      affine.store %x, %a[%i * 3 + %c] : memref<?xf32>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @one(
// CHECK:         affine.for %c = 0 to 1
func.func @one(%n : index, %a : memref<?x1xf32>, %v : f32) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 1 {
      affine.store %v, %a[%i, %c] : memref<?x1xf32>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @columns(
// CHECK:         affine.for %c = 0 to 3
func.func @columns(%n : index, %a : memref<3x?xf32>, %v : f32) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 3 {
      affine.store %v, %a[%c, %i] : memref<3x?xf32>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
