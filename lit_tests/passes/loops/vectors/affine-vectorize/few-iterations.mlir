// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

// A loop of a few iterations becomes a vector that is as wide as it is long, no mask; the sum of a few
// elements is left to LLVM, which adds it up with what stands around it.

// CHECK-LABEL: func.func @scaled
// CHECK:         vector<4xf32>
// CHECK-NOT:     vector<16xf32>
func.func @scaled(%a: memref<?xf32>, %s: f32) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %s : f32
    affine.store %y, %a[%i] : memref<?xf32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @scaled_more
// CHECK:         vector<16xf32>
func.func @scaled_more(%a: memref<?xf32>, %s: f32) {
  affine.for %i = 0 to 9 {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %s : f32
    affine.store %y, %a[%i] : memref<?xf32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @added_up
// CHECK-NOT:     vector<
// CHECK:         func.return
func.func @added_up(%a: memref<?xf32> {llvm.noalias}, %sum: memref<f32> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<?xf32>
    %s = affine.load %sum[] : memref<f32>
    %t = arith.addf %s, %x fastmath<reassoc> : f32
    affine.store %t, %sum[] : memref<f32>
  }
  func.return
}
