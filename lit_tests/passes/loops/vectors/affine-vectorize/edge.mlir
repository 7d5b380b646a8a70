// At the edges: no iteration and one, which stay; fewer than the narrowest vector has lanes, as many as the
// widest, and one more.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

func.func @never(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 3 to 3 {
    affine.store %x, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @never(
// CHECK-NEXT:    affine.for %i = 3 to 3 {
// CHECK-NEXT:      affine.store %x, %A[%i] : memref<?xf64>
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:    func.return

func.func @once(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 3 to 4 {
    affine.store %x, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @once(
// CHECK-NEXT:    affine.for %i = 3 to 4 {
// CHECK-NEXT:      affine.store %x, %A[%i] : memref<?xf64>
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:    func.return

func.func @three(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 0 to 3 {
    %a = affine.load %A[%i] : memref<?xf64>
    %s = arith.mulf %a, %x : f64
    affine.store %s, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @three(
// CHECK-NEXT:    affine.for %v = 0 to 3 step 4 {
// CHECK-NEXT:      [[V0:%\d+]] = affine.apply affine_map<(d0) -> (((d0 * -1) + 3))> (%v)
// CHECK-NEXT:      [[V1:%\d+]] = vector.create_mask [[V0]] : vector<4xi1>
// CHECK-NEXT:      [[V2:%\d+]] = pvec.read %A[%v] masked [[V1]] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:      [[V3:%\d+]] = vector.broadcast %x : f64 to vector<4xf64>
// CHECK-NEXT:      [[V4:%\d+]] = arith.mulf [[V2]], [[V3]] : vector<4xf64>
// CHECK-NEXT:      pvec.write [[V4]], %A[%v] masked [[V1]] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    } {poly.loop = #poly.loop<interleave = 1>}
// CHECK-NEXT:    func.return

func.func @eight(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<?xf64>
    %s = arith.mulf %a, %x : f64
    affine.store %s, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @eight(
// CHECK-NEXT:    affine.for %v = 0 to 8 step 8 {
// CHECK-NEXT:      [[V0:%\d+]] = affine.apply affine_map<(d0) -> (((d0 * -1) + 8))> (%v)
// CHECK-NEXT:      [[V1:%\d+]] = vector.create_mask [[V0]] : vector<8xi1>
// CHECK-NEXT:      [[V2:%\d+]] = pvec.read %A[%v] masked [[V1]] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      [[V3:%\d+]] = vector.broadcast %x : f64 to vector<8xf64>
// CHECK-NEXT:      [[V4:%\d+]] = arith.mulf [[V2]], [[V3]] : vector<8xf64>
// CHECK-NEXT:      pvec.write [[V4]], %A[%v] masked [[V1]] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:    } {poly.loop = #poly.loop<interleave = 1>}
// CHECK-NEXT:    func.return

func.func @nine(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 0 to 9 {
    %a = affine.load %A[%i] : memref<?xf64>
    %s = arith.mulf %a, %x : f64
    affine.store %s, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @nine(
// CHECK-NEXT:    affine.for %v = 0 to 9 step 8 {
// CHECK-NEXT:      [[V0:%\d+]] = affine.apply affine_map<(d0) -> (((d0 * -1) + 9))> (%v)
// CHECK-NEXT:      [[V1:%\d+]] = vector.create_mask [[V0]] : vector<8xi1>
// CHECK-NEXT:      [[V2:%\d+]] = pvec.read %A[%v] masked [[V1]] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      [[V3:%\d+]] = vector.broadcast %x : f64 to vector<8xf64>
// CHECK-NEXT:      [[V4:%\d+]] = arith.mulf [[V2]], [[V3]] : vector<8xf64>
// CHECK-NEXT:      pvec.write [[V4]], %A[%v] masked [[V1]] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:    } {poly.loop = #poly.loop<interleave = 1>}
// CHECK-NEXT:    func.return

