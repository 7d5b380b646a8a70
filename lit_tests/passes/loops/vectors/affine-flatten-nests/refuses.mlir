// RUN: polyopt-opt -p affine-flatten-nests %s | filecheck %s

// Nests that stay: rows that have an end which is not gone through, a value of each iteration around,
// loops that carry something, rows that are long enough, a counter that is data, and what a sum beside
// it begins with.

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

// CHECK-LABEL: func.func @beside_sums(
// CHECK:         affine.for %c = 0 to 4
func.func @beside_sums(%n : index, %a : memref<?x4xf32>, %b : memref<?x4xf32>, %v : f32) {
  affine.for %i = 0 to %n {
    affine.for %c = 0 to 4 {
      affine.store %v, %a[%i, %c] : memref<?x4xf32>
    } {poly.loop = #poly.loop<parallel, iterator = "c">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 4 {
      affine.for %k = 0 to 4 {
        %x = affine.load %b[%k, %j] : memref<?x4xf32>
        %s = affine.load %a[%i, %j] : memref<?x4xf32>
        %t = arith.addf %s, %x : f32
        affine.store %t, %a[%i, %j] : memref<?x4xf32>
      } {poly.loop = #poly.loop<reduces = ["a"], iterator = "k">}
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
