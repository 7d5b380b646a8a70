// Windows along the lanes, each of which begins and ends one further on than the one before: in 16
// lanes they take twenty steps of which all but few are masked, where five iterations are their own.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v4"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3"}' | filecheck %s --check-prefix=MASKED

// CHECK-LABEL:  func.func @windows
// CHECK:          vector<
// MASKED-LABEL: func.func @windows
// MASKED-NOT:     vector<
// MASKED:         func.return
func.func @windows(%n : index, %x : memref<?xf32> {llvm.noalias}, %y : memref<?xf32> {llvm.noalias}) {
  affine.for %c = 0 to %n {
    affine.for %d = max affine_map<(d0) -> (d0 - 2, 0)>(%c) to min affine_map<(d0)[s0] -> (s0, d0 + 3)>(%c)[%n] {
      %s = affine.load %y[%c] : memref<?xf32>
      %v = affine.load %x[%d] : memref<?xf32>
      %t = arith.addf %s, %v : f32
      affine.store %t, %y[%c] : memref<?xf32>
    }
  }
  func.return
}
