// At the edges: one lane, a step of zero, a step back, a step down a column, a mask of no lanes.
// RUN: polyopt-opt %s -p 'lower-transfers' | filecheck %s

func.func @one_lane(%A : memref<?xf64>, %v : index) -> vector<1xf64> {
  %a = pvec.read %A[%v] : memref<?xf64>, vector<1xf64>
  func.return %a : vector<1xf64>
}

// CHECK-LABEL: @one_lane(
// CHECK-NEXT:    %a = affine.vector_load %A[%v] : memref<?xf64>, vector<1xf64>
// CHECK-NEXT:    func.return %a : vector<1xf64>

// All lanes are one element.
func.func @same(%A : memref<?xf64>, %v : index) -> vector<4xf64> {
  %a = pvec.read %A[%v] by [0] : memref<?xf64>, vector<4xf64>
  func.return %a : vector<4xf64>
}

// CHECK-LABEL: @same(
// CHECK-NEXT:    [[V0:%\d+]] = affine.load %A[%v] : memref<?xf64>
// CHECK-NEXT:    %a = vector.broadcast [[V0]] : f64 to vector<4xf64>
// CHECK-NEXT:    func.return %a : vector<4xf64>

// Lane 0 is the last of those that are stored.
func.func @back(%A : memref<?xf64>, %v : index, %x : vector<4xf64>) {
  pvec.write %x, %A[%v] by [-1] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: @back(
// CHECK-NEXT:    [[V0:%\d+]] = vector.shuffle %x, %x [3, 2, 1, 0] : vector<4xf64>, vector<4xf64>
// CHECK-NEXT:    affine.vector_store [[V0]], %A[%v + -3] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    func.return

func.func @rows(%A : memref<?x?xf64>, %v : index, %w : index) -> vector<4xf64> {
  %a = pvec.read %A[%v, %w] by [1, 0] : memref<?x?xf64>, vector<4xf64>
  func.return %a : vector<4xf64>
}

// CHECK-LABEL: @rows(
// CHECK-NEXT:    %a = pvec.strided_load %A[%v, %w] by [1, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:    func.return %a : vector<4xf64>

// A mask is taken as it is.
func.func @no_lanes(%A : memref<?xf64>, %v : index, %x : vector<4xf64>) {
  %none = arith.constant dense<false> : vector<4xi1>
  pvec.write %x, %A[%v] masked %none : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: @no_lanes(
// CHECK-NEXT:    %none = arith.constant dense<false> : vector<4xi1>
// CHECK-NEXT:    vector.maskedstore %A[%v], %none, %x : memref<?xf64>, vector<4xi1>, vector<4xf64>
// CHECK-NEXT:    func.return

// The lanes of pointers that are not read are null.
func.func @pointers(%A : memref<?x!llvm.ptr>, %v : index, %m : vector<4xi1>) -> vector<4x!llvm.ptr> {
  %a = pvec.read %A[%v] masked %m : memref<?x!llvm.ptr>, vector<4x!llvm.ptr>
  func.return %a : vector<4x!llvm.ptr>
}

// CHECK-LABEL: @pointers(
// CHECK:         [[ZERO:%\d+]] = arith.constant 0 : i64
// CHECK-NEXT:    [[NULL:%\d+]] = cmem.int_to_ptr [[ZERO]]
// CHECK-NEXT:    [[NONE:%\d+]] = vector.broadcast [[NULL]] : !llvm.ptr to vector<4x!llvm.ptr>
// CHECK-NEXT:    %a = vector.maskedload %A[%v], %m, [[NONE]]
