// What transfers have to say of a place, its lanes and its vectors.
// RUN: polyopt-opt %s --split-input-file --verify-diagnostics | filecheck %s

func.func @subscripts(%A : memref<?x?xf64>, %i : index) {
  // CHECK: expected a subscript for each dimension
  %v = pvec.read %A[%i] by [0, 1] : memref<?x?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @steps(%A : memref<?x?xf64>, %i : index) {
  // CHECK: expected a step for each dimension
  %v = pvec.read %A[%i, %i] by [2] : memref<?x?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @elements(%A : memref<?xf32>, %i : index) {
  // CHECK: expected vectors of the array's elements
  %v = pvec.read %A[%i] : memref<?xf32>, vector<4xf64>
  func.return
}

// -----

func.func @indices(%A : memref<?xf64>, %i : index) {
  // CHECK: expected an index for each dimension and symbol of the map
  %v = "pvec.read"(%A, %i, %i) <{map = affine_map<(d0) -> (d0)>, steps = array<i64: 1>, operandSegmentSizes = array<i32: 0, 1, 2>}> : (memref<?xf64>, index, index) -> vector<4xf64>
  func.return
}

// -----

func.func @mask(%A : memref<?xf64>, %i : index, %m : vector<8xi1>) {
  // CHECK: expected as many lanes in the mask as in the values
  %v = "pvec.read"(%m, %A, %i) <{map = affine_map<(d0) -> (d0)>, steps = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (vector<8xi1>, memref<?xf64>, index) -> vector<4xf64>
  func.return
}

// -----

func.func @window(%A : memref<?xf64>, %i : index) {
  // CHECK: expected places in order within one step, and 0 among them
  %v = pvec.read %A[%i] by [2] within [-1, 1] : memref<?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @window_of_itself(%A : memref<?xf64>, %i : index) {
  // CHECK: expected places in order within one step, and 0 among them
  %v = pvec.read %A[%i] by [3] within [1, 2] : memref<?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @window_down_a_column(%A : memref<?x?xf64>, %i : index) {
  // CHECK: expected lanes strided in the last dimension alone
  %v = pvec.read %A[%i, %i] by [1, 0] within [0] : memref<?x?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @past_the_caches(%A : memref<?xf64>, %i : index, %v : vector<4xf64>) {
  // CHECK: expected elements side by side where the store is non-temporal
  pvec.write %v, %A[%i] by [2] nontemporal : memref<?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @in_turns(%A : memref<?xf64>, %i : index, %v : vector<4xf64>, %w : vector<8xf64>) {
  // CHECK: expected vectors of one type
  "pvec.write_in_turns"(%v, %w, %A, %i) <{map = affine_map<(d0) -> (d0)>, steps = array<i64: 2>, at = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1, 1>}> : (vector<4xf64>, vector<8xf64>, memref<?xf64>, index) -> ()
  func.return
}

// -----

func.func @in_turns_backward(%A : memref<?xf64>, %i : index, %v : vector<4xf64>) {
  // CHECK: expected lanes strided in the last dimension alone
  pvec.write_in_turns (%v, %v), %A[%i] by [-2] at [0, 1] : memref<?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @in_turns_twice(%A : memref<?xf64>, %i : index, %v : vector<4xf64>) {
  // CHECK: expected a place for each vector, in order, the first 0
  pvec.write_in_turns (%v, %v), %A[%i] by [2] at [0, 0] : memref<?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @in_turns_too_far(%A : memref<?xf64>, %i : index, %v : vector<4xf64>) {
  // CHECK: expected places within one step
  pvec.write_in_turns (%v, %v), %A[%i] by [2] at [0, 2] : memref<?xf64>, vector<4xf64>
  func.return
}

// -----

func.func @square(%A : memref<?x?xf64>, %i : index, %v : vector<4xf64>) {
  // CHECK: expected as many vectors of one type as they have lanes
  pvec.write_square (%v, %v), %A[%i, %i] by [1, 0] : memref<?x?xf64>, vector<4xf64>
  func.return
}
