// Records of which each member gets the same are rows of members, also in place; where members get each
// other's, or records lie further apart in one of the arrays, they stay records.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"}' | filecheck %s
builtin.module {
  func.func @same(%n: index, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 1 to %n {
      %a = affine.load %y[%i * 3] : memref<?xf64>
      %b = affine.load %y[%i * 3 + 1] : memref<?xf64>
      %c = affine.load %y[%i * 3 + 2] : memref<?xf64>
      affine.store %a, %x[%i * 3 + 4] : memref<?xf64>
      affine.store %b, %x[%i * 3 + 5] : memref<?xf64>
      affine.store %c, %x[%i * 3 + 6] : memref<?xf64>
    } {poly.loop = #poly.loop<parallel>}
    func.return
  }
  func.func @exchanged(%n: index, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 0 to %n {
      %a = affine.load %y[%i * 2] : memref<?xf64>
      %b = affine.load %y[%i * 2 + 1] : memref<?xf64>
      affine.store %b, %x[%i * 2] : memref<?xf64>
      affine.store %a, %x[%i * 2 + 1] : memref<?xf64>
    } {poly.loop = #poly.loop<parallel>}
    func.return
  }
  func.func @wider(%n: index, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 0 to %n {
      %a = affine.load %y[%i * 4] : memref<?xf64>
      %b = affine.load %y[%i * 4 + 1] : memref<?xf64>
      affine.store %a, %x[%i * 2] : memref<?xf64>
      affine.store %b, %x[%i * 2 + 1] : memref<?xf64>
    } {poly.loop = #poly.loop<parallel>}
    func.return
  }
}

// CHECK-LABEL: func.func @same
// CHECK:         affine.for %[[X:.*]] = 3 to affine_map<(d0) -> ((d0 * 3))>(%n) {
// CHECK-NEXT:      %[[A:.*]] = affine.load %y[%[[X]]]
// CHECK-NEXT:      affine.store %[[A]], %x[%[[X]] + 4]
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel>}
// CHECK-LABEL: func.func @exchanged
// CHECK:         affine.load %y[%i * 2]
// CHECK-NEXT:    affine.load %y[%i * 2 + 1]
// CHECK-NEXT:    affine.store
// CHECK-NEXT:    affine.store
// CHECK-LABEL: func.func @wider
// CHECK:         affine.load %y[%i * 4]
// CHECK:         affine.store %{{.*}}, %x[%i * 2 + 1]
