// Rows that have nothing in common, of columns that are gathered, are as good two at a time as ten:
// of what costs the same, the least code is written.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v3"}' | filecheck %s

func.func @batched(%n: index, %A: memref<?x?x?xf32> {llvm.noalias}, %X: memref<?x?xf32> {llvm.noalias},
                   %Y: memref<?x?xf32> {llvm.noalias}) {
  affine.for %b = 0 to %n {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %a = affine.load %A[%b, %i, %j] : memref<?x?x?xf32>
        %x = affine.load %X[%b, %j] : memref<?x?xf32>
        %old = affine.load %Y[%b, %i] : memref<?x?xf32>
        %ax = arith.mulf %a, %x : f32
        %sum = arith.addf %old, %ax : f32
        affine.store %sum, %Y[%b, %i] : memref<?x?xf32>
      }
    }
  }
  func.return
}

// CHECK-LABEL:     func.func @batched
// CHECK:             affine.for %b = 0 to affine_map<(d0) -> ((d0 + -1))>(%n) step 2 {
// CHECK-NEXT:          affine.for %i = 0 to affine_map<(d0) -> ((d0 + -7))>(%n) step 8 {
