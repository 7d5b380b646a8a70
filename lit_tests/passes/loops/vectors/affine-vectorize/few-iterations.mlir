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

// Less than a vector of terms, all of them stored one by one by the loop around: a vector would wait for them.
// CHECK-LABEL: func.func @just_stored
// CHECK-NOT:     vector<
// CHECK:         func.return
func.func @just_stored(%a: memref<6x6xf64> {llvm.noalias}, %sum: memref<f64> {llvm.noalias}) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %x = affine.load %a[%i, %k] : memref<6x6xf64>
        %s = affine.load %sum[] : memref<f64>
        %t = arith.addf %s, %x fastmath<reassoc> : f64
        affine.store %t, %sum[] : memref<f64>
      }
      %u = affine.load %sum[] : memref<f64>
      affine.store %u, %a[%i, %j] : memref<6x6xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @only_read
// CHECK:         vector<8xf64>
func.func @only_read(%a: memref<6x6xf64> {llvm.noalias}, %b: memref<6x6xf64> {llvm.noalias}, %sum: memref<f64> {llvm.noalias}) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %x = affine.load %a[%i, %k] : memref<6x6xf64>
        %s = affine.load %sum[] : memref<f64>
        %t = arith.addf %s, %x fastmath<reassoc> : f64
        affine.store %t, %sum[] : memref<f64>
      }
      %u = affine.load %sum[] : memref<f64>
      affine.store %u, %b[%i, %j] : memref<6x6xf64>
    }
  }
  func.return
}
