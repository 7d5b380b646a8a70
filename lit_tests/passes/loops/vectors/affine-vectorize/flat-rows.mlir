// Rows of two to four elements that a loop goes through one after the other are stretches of
// memory; not so where the loop goes along a row, or rows are long, or an array is also used
// otherwise, or only some members are written.
//
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

func.func @parts(%n : index, %s : f64, %A : memref<?x2xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i, 0] : memref<?x2xf64>
    %b = affine.load %A[%i, 1] : memref<?x2xf64>
    %c = arith.mulf %a, %s : f64
    %d = arith.mulf %b, %s : f64
    affine.store %d, %A[%i, 0] : memref<?x2xf64>
    affine.store %c, %A[%i, 1] : memref<?x2xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @parts
// CHECK:         [[P:%.*]] = cmem.address %A[%{{.*}}, %{{.*}}] : memref<?x2xf64>
// CHECK-NEXT:    [[F:%.*]] = cmem.view [[P]][] : memref<?xf64>
// CHECK:         pvec.read [[F]][{{.*}} * 2] by [2] within [0, 1] : memref<?xf64>, vector<8xf64>
// CHECK:         pvec.write_in_turns {{.*}}, [[F]][{{.*}} * 2] : memref<?xf64>, vector<8xf64>

func.func @points_in_planes(%n : index, %k : index, %s : f64, %A : memref<?x10x3xf64>) {
  affine.for %i = 0 to 10 {
    %a = affine.load %A[%k, %i, 0] : memref<?x10x3xf64>
    %b = affine.load %A[%k, %i, 1] : memref<?x10x3xf64>
    %c = affine.load %A[%k, %i, 2] : memref<?x10x3xf64>
    %d = arith.mulf %a, %s : f64
    %e = arith.mulf %b, %s : f64
    %f = arith.mulf %c, %s : f64
    affine.store %e, %A[%k, %i, 0] : memref<?x10x3xf64>
    affine.store %d, %A[%k, %i, 1] : memref<?x10x3xf64>
    affine.store %f, %A[%k, %i, 2] : memref<?x10x3xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @points_in_planes
// CHECK:         cmem.view {{.*}} : memref<?x30xf64>
// CHECK:         pvec.write_in_turns {{.*}} * 3] : memref<?x30xf64>, vector<8xf64>

func.func @along_a_row(%k : index, %s : f64, %A : memref<?x4xf64>) {
  affine.for %i = 0 to 4 {
    %a = affine.load %A[%k, %i] : memref<?x4xf64>
    %c = arith.mulf %a, %s : f64
    affine.store %c, %A[%k, %i] : memref<?x4xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @along_a_row
// CHECK-NOT:     cmem.view

func.func @long_rows(%n : index, %s : f64, %A : memref<?x5xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i, 0] : memref<?x5xf64>
    %c = arith.mulf %a, %s : f64
    affine.store %c, %A[%i, 0] : memref<?x5xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @long_rows
// CHECK-NOT:     cmem.view
// CHECK:         func.return

func.func @one_member(%n : index, %s : f64, %A : memref<?x2xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i, 0] : memref<?x2xf64>
    %c = arith.mulf %a, %s : f64
    affine.store %c, %A[%i, 1] : memref<?x2xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @one_member
// CHECK-NOT:     cmem.view
// CHECK:         func.return

// Rows of pixels of which only the run knows how many there are: the flat array has as long ones.
func.func @pixels(%h : index, %w : index, %A : memref<?x?x3xi8>, %B : memref<?x?x3xi8>) {
  affine.for %i = 0 to %h {
    affine.for %j = 0 to %w {
      %r = affine.load %A[%i, %j, 0] : memref<?x?x3xi8>
      %g = affine.load %A[%i, %j, 1] : memref<?x?x3xi8>
      %b = affine.load %A[%i, %j, 2] : memref<?x?x3xi8>
      affine.store %b, %B[%i, %j, 0] : memref<?x?x3xi8>
      affine.store %g, %B[%i, %j, 1] : memref<?x?x3xi8>
      affine.store %r, %B[%i, %j, 2] : memref<?x?x3xi8>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @pixels
// CHECK:         [[DIM:%.*]] = memref.dim %A
// CHECK-NEXT:    [[THREE:%.*]] = arith.constant 3 : index
// CHECK-NEXT:    [[LENGTH:%.*]] = arith.muli [[DIM]], [[THREE]] : index
// CHECK-NEXT:    cmem.view {{%.*}}[[[LENGTH]]] : memref<?x?xi8>
// CHECK:         func.return
