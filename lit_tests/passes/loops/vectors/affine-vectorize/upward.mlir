// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

// Independent iterations that go down through memory run from the last to the first: the lanes of a vector lie
// side by side upward, and so do the vectors.

// CHECK-LABEL: func.func @down
// CHECK:         affine.for [[V:%\w+]] = affine_map<(d0) -> (((d0 * -1) + 1))>(%n) to 1 step 16 {
// CHECK:           pvec.read %B[%n + [[V]] + -1] masked
// CHECK:           pvec.write {{.*}}, %A[%n + [[V]] + -1] masked
func.func @down(%n : index, %A : memref<?xf32>, %B : memref<?xf32>) {
  affine.for %i = affine_map<(d0) -> (1 - d0)>(%n) to 1 {
    %b = affine.load %B[-%i] : memref<?xf32>
    %s = arith.addf %b, %b : f32
    affine.store %s, %A[-%i] : memref<?xf32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// What only moves elements is reversed, too; LLVM makes a copy of it.
// CHECK-LABEL: func.func @moved
// CHECK:         affine.for [[I:%\w+]] = 0 to 100 {
// CHECK-NEXT:      affine.load %B[[[I]]]
// CHECK-NEXT:      affine.store {{.*}}, %A[[[I]]]
func.func @moved(%A : memref<100xf32>, %B : memref<100xf32>) {
  affine.for %i = 0 to 100 {
    %b = affine.load %B[99 - %i] : memref<100xf32>
    affine.store %b, %A[99 - %i] : memref<100xf32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// Each row of a triangle from its own end.
// CHECK-LABEL: func.func @triangle
// CHECK:         affine.for [[ROW:%\w+]] = 0 to 100
// CHECK:           affine.for [[V:%\w+]] = affine_map<(d0) -> ((d0 * -1))>([[ROW]]) to 1 step 8 {
// CHECK:             pvec.read %B[[[ROW]], [[ROW]] + [[V]]] masked
func.func @triangle(%A : memref<100x100xf64>, %B : memref<100x100xf64>) {
  affine.for %i = 0 to 100 {
    affine.for %j = affine_map<(d0) -> (-d0)>(%i) to 1 {
      %b = affine.load %B[%i, -%j] : memref<100x100xf64>
      %s = arith.addf %b, %b : f64
      affine.store %s, %A[%i, -%j] : memref<100x100xf64>
    } {poly.loop = #poly.loop<parallel>}
  }
  func.return
}

// What takes the element below before that one is changed goes down.
// CHECK-LABEL: func.func @shifted
// CHECK:         pvec.read %A[{{.*}} * -1] by [-1]
func.func @shifted(%n : index, %A : memref<?xf32>) {
  affine.for %i = affine_map<(d0) -> (1 - d0)>(%n) to 1 {
    %a = affine.load %A[-%i] : memref<?xf32>
    %s = arith.addf %a, %a : f32
    affine.store %s, %A[1 - %i] : memref<?xf32>
  }
  func.return
}

// One array down and the other up: no better the other way round.
// CHECK-LABEL: func.func @across
// CHECK:         pvec.read %B[{{.*}}] masked
// CHECK:         pvec.write {{.*}}, %A[{{.*}}] by [-1] masked
func.func @across(%A : memref<100xf32>, %B : memref<100xf32>) {
  affine.for %i = 0 to 100 {
    %b = affine.load %B[%i] : memref<100xf32>
    %s = arith.addf %b, %b : f32
    affine.store %s, %A[99 - %i] : memref<100xf32>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
