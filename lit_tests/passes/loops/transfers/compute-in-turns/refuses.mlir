// Left as it is: what takes no fewer operations in turns, what is not all there, what is not the
// same, and what a write in between may have changed.
// RUN: polyopt-opt %s -p 'compute-in-turns' | filecheck %s

// There is nothing to take apart, and one value would be spread for every component.
func.func @computed_apart(%A : memref<?xf64>, %x : vector<4xf64>, %y : vector<4xf64>, %v : index) {
  %c = arith.mulf %x, %y : vector<4xf64>
  %d = arith.addf %x, %y : vector<4xf64>
  pvec.write_in_turns (%c, %d), %A[%v * 2] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @computed_apart(
// CHECK:         pvec.write_in_turns

// What lies between the groups is left as it is.
func.func @gaps(%A : memref<?xf64>, %v : index) {
  %a = pvec.read %A[%v * 3] by [3] within [0, 1] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v * 3 + 1] by [3] within [-1, 0] : memref<?xf64>, vector<4xf64>
  %c = arith.addf %a, %a : vector<4xf64>
  %d = arith.addf %b, %b : vector<4xf64>
  pvec.write_in_turns (%c, %d), %A[%v * 3] by [3] at [0, 1] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @gaps(
// CHECK:         pvec.write_in_turns

// The third element of a group is not read, and the last one of all need not exist.
func.func @not_all_there(%A : memref<?xf64>, %B : memref<?xf64>, %x : vector<4xf64>, %v : index) {
  %a = pvec.read %A[%v * 3] by [3] within [0, 1] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v * 3 + 1] by [3] within [-1, 0] : memref<?xf64>, vector<4xf64>
  pvec.write_in_turns (%a, %b, %x), %B[%v * 3] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @not_all_there(
// CHECK:         pvec.write_in_turns

// The two components are of different moments.
func.func @changed(%A : memref<?xf64>, %B : memref<?xf64>, %x : vector<4xf64>, %v : index) {
  %a = pvec.read %A[%v * 2] by [2] within [0, 1] : memref<?xf64>, vector<4xf64>
  pvec.write %x, %B[%v] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf64>, vector<4xf64>
  pvec.write_in_turns (%b, %a), %A[%v * 2] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @changed(
// CHECK:         pvec.write_in_turns
