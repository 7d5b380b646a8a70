// Without AVX-512, vectors of 32 bytes are shuffled within their halves, and whole halves change
// places before or behind that.
// RUN: polyopt-opt %s -p 'lower-transfers{march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'lower-transfers{march="x86-64-v4"}' | filecheck %s --check-prefix=WIDE

// CHECK-LABEL: func.func @pairs_together
// CHECK-NEXT:    [[LOW:%.*]] = vector.shuffle %x, %y [0, 4, 2, 6] : vector<4xf64>, vector<4xf64>
// CHECK-NEXT:    [[HIGH:%.*]] = vector.shuffle %x, %y [1, 5, 3, 7] : vector<4xf64>, vector<4xf64>
// CHECK-NEXT:    vector.shuffle [[LOW]], [[HIGH]] [0, 1, 4, 5] : vector<4xf64>, vector<4xf64>
// CHECK-NEXT:    vector.shuffle [[LOW]], [[HIGH]] [2, 3, 6, 7] : vector<4xf64>, vector<4xf64>
// WIDE-LABEL: func.func @pairs_together
// WIDE-NEXT:     vector.shuffle %x, %y [0, 4, 1, 5] : vector<4xf64>, vector<4xf64>
// WIDE-NEXT:     vector.shuffle %x, %y [2, 6, 3, 7] : vector<4xf64>, vector<4xf64>
func.func @pairs_together(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %y : vector<4xf64>) {
  pvec.write_in_turns (%x, %y), %A[%v * 2] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @pairs_apart
// CHECK:         [[ONE:%.*]] = affine.vector_load
// CHECK:         [[OTHER:%.*]] = affine.vector_load
// CHECK-NEXT:    [[LOW:%.*]] = vector.shuffle [[ONE]], [[OTHER]] [0, 1, 4, 5] : vector<4xf64>, vector<4xf64>
// CHECK-NEXT:    [[HIGH:%.*]] = vector.shuffle [[ONE]], [[OTHER]] [2, 3, 6, 7] : vector<4xf64>, vector<4xf64>
// CHECK-NEXT:    vector.shuffle [[LOW]], [[HIGH]] [0, 4, 2, 6] : vector<4xf64>, vector<4xf64>
// CHECK-NEXT:    vector.shuffle [[LOW]], [[HIGH]] [1, 5, 3, 7] : vector<4xf64>, vector<4xf64>
func.func @pairs_apart(%A : memref<?xf64>, %v : index) {
  %x = pvec.read %A[%v * 2] by [2] within [0, 1] : memref<?xf64>, vector<4xf64>
  %y = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf64>, vector<4xf64>
  func.return
}

// Half a register is shuffled as a whole.
// CHECK-LABEL: func.func @narrow
// CHECK-NEXT:    vector.shuffle %x, %y [0, 2] : vector<2xf64>, vector<2xf64>
// CHECK-NEXT:    vector.shuffle %x, %y [1, 3] : vector<2xf64>, vector<2xf64>
func.func @narrow(%A : memref<?xf64>, %v : index, %x : vector<2xf64>, %y : vector<2xf64>) {
  pvec.write_in_turns (%x, %y), %A[%v * 2] : memref<?xf64>, vector<2xf64>
  func.return
}
