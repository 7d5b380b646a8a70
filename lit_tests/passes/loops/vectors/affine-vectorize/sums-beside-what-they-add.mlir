// A sum in x[i] of what stands in x[j] for j < i: no iteration adds to what another one reads. Where the ranges meet, it does.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

func.func @before(%i : index, %a : memref<?xf64>, %x : memref<?xf64>) {
  affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
    %xj = affine.load %x[%j] : memref<?xf64>
    %aj = affine.load %a[%j] : memref<?xf64>
    %p = arith.mulf %xj, %aj fastmath<fast> : f64
    %old = affine.load %x[%i] : memref<?xf64>
    %new = arith.subf %old, %p fastmath<fast> : f64
    affine.store %new, %x[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<reduces = ["x"], iterator = "j">}
  func.return
}

// CHECK-LABEL: func.func @before
// CHECK:         vector<8xf64>

func.func @behind(%i : index, %n : index, %a : memref<?xf64>, %x : memref<?xf64>) {
  affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to affine_map<(d0) -> (d0)>(%n) {
    %xj = affine.load %x[%j] : memref<?xf64>
    %aj = affine.load %a[%j] : memref<?xf64>
    %p = arith.mulf %xj, %aj fastmath<fast> : f64
    %old = affine.load %x[%i] : memref<?xf64>
    %new = arith.subf %old, %p fastmath<fast> : f64
    affine.store %new, %x[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<reduces = ["x"], iterator = "j">}
  func.return
}

// CHECK-LABEL: func.func @behind
// CHECK:         vector<8xf64>

func.func @own_too(%i : index, %a : memref<?xf64>, %x : memref<?xf64>) {
  affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
    %xj = affine.load %x[%j] : memref<?xf64>
    %aj = affine.load %a[%j] : memref<?xf64>
    %p = arith.mulf %xj, %aj fastmath<fast> : f64
    %old = affine.load %x[%i] : memref<?xf64>
    %new = arith.subf %old, %p fastmath<fast> : f64
    affine.store %new, %x[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<reduces = ["x"], iterator = "j">}
  func.return
}

// CHECK-LABEL: func.func @own_too
// CHECK-NOT:     vector<8xf64>
