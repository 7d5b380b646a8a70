// RUN: polyopt-opt -p affine-flatten-nests %s | filecheck %s

// Nests that stay: rows that have an end which is not gone through, a value of each iteration around,
// loops that carry something, rows that are long enough, and what data say where it is.

// CHECK-LABEL: func.func @longer_rows(
// CHECK:         affine.for %c = 0 to 3
func.func @longer_rows(%n : index, %a : memref<?x4xf32>, %v : f32) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 3 {
      affine.store %v, %a[%i, %c] : memref<?x4xf32>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @one_for_each(
// CHECK:         affine.for %c = 0 to 3
func.func @one_for_each(%n : index, %a : memref<?x3xf32>, %s : memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 3 {
      %x = affine.load %s[%i] : memref<?xf32>
      affine.store %x, %a[%i, %c] : memref<?x3xf32>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @carries(
// CHECK:         affine.for %c = 0 to 4
func.func @carries(%n : index, %a : memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 4 {
      %x = affine.load %a[%i * 4 + %c - 4] : memref<?xf32>
      affine.store %x, %a[%i * 4 + %c] : memref<?xf32>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @long(
// CHECK:         affine.for %c = 0 to 100
func.func @long(%n : index, %a : memref<?x100xf32>, %v : f32) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 100 {
      affine.store %v, %a[%i, %c] : memref<?x100xf32>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// The counter is data, too.

// CHECK-LABEL: func.func @counter(
// CHECK:         affine.for %c = 0 to 4
func.func @counter(%n : index, %a : memref<?x4xi64>) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 4 {
      %x = arith.index_cast %c : index to i64
      affine.store %x, %a[%i, %c] : memref<?x4xi64>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
