// A window along a row, cut off at its ends, is straight code where it is whole: the loop along the row
// is the innermost one there. At the ends it is a loop as before.
// RUN: polyopt-opt %s -p affine-unroll | filecheck %s

func.func @sums(%n : index, %x : memref<?xf64> {llvm.noalias}, %y : memref<?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %c = 0 to %n {
    affine.store %zero, %y[%c] : memref<?xf64>
    affine.for %d = max affine_map<(d0) -> (d0 - 1, 0)>(%c) to min affine_map<(d0)[s0] -> (s0, d0 + 2)>(%c)[%n] {
      %e = affine.load %x[%d] : memref<?xf64>
      %s = affine.load %y[%c] : memref<?xf64>
      %t = arith.addf %s, %e : f64
      affine.store %t, %y[%c] : memref<?xf64>
    } {poly.loop = #poly.loop<reduces = ["y"]>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @sums
// CHECK:         affine.for %c = 0 to min
// CHECK:           affine.for %d
// CHECK:         affine.for %c{{[_0-9]*}} = 1 to
// CHECK-NOT:       affine.for
// CHECK:           affine.load %x[%c{{.*}} + -1]
// CHECK:           affine.load %x[%c{{.*}}]
// CHECK:           affine.load %x[%c{{.*}} + 1]
// CHECK-NOT:       affine.for
// CHECK:         } {poly.loop = #poly.loop<parallel>}
// CHECK:         affine.for %c
// CHECK:           affine.for %d
// CHECK-NOT:     unroll

// A row that carries something has no lanes to gain; down a column nothing lies side by side; a short
// row is all ends; a window that goes its own way, or of any length, is none.
func.func @refused(%n : index, %x : memref<?xf64> {llvm.noalias}, %y : memref<?xf64> {llvm.noalias}, %z : memref<?x64xf64> {llvm.noalias}) {
  affine.for %c = 0 to %n {
    affine.for %d = max affine_map<(d0) -> (d0 - 1, 0)>(%c) to min affine_map<(d0)[s0] -> (s0, d0 + 2)>(%c)[%n] {
      %e = affine.load %x[%d] : memref<?xf64>
      affine.store %e, %y[%c] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<serial>}
  affine.for %c = 0 to %n {
    affine.for %d = max affine_map<(d0) -> (d0 - 1, 0)>(%c) to min affine_map<(d0)[s0] -> (s0, d0 + 2)>(%c)[%n] {
      %e = affine.load %z[%d, 0] : memref<?x64xf64>
      affine.store %e, %y[%c] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<parallel>}
  affine.for %c = 0 to 12 {
    affine.for %d = max affine_map<(d0) -> (d0 - 1, 0)>(%c) to min affine_map<(d0) -> (12, d0 + 2)>(%c) {
      %e = affine.load %x[%d] : memref<?xf64>
      affine.store %e, %y[%c] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<parallel>}
  affine.for %c = 0 to %n {
    affine.for %d = 0 to min affine_map<(d0)[s0] -> (4, d0 + 1)>(%c)[%n] {
      %e = affine.load %x[%d] : memref<?xf64>
      affine.store %e, %y[%c] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<parallel>}
  affine.for %c = 0 to %n {
    affine.for %d = max affine_map<(d0) -> (d0 - 20, 0)>(%c) to min affine_map<(d0)[s0] -> (s0, d0 + 2)>(%c)[%n] {
      %e = affine.load %x[%d] : memref<?xf64>
      affine.store %e, %y[%c] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @refused
// CHECK-COUNT-10: affine.for
// CHECK-NOT:     affine.for
