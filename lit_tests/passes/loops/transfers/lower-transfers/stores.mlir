// What becomes of writes.
// RUN: polyopt-opt %s -p 'lower-transfers{march="x86-64-v4"}' | filecheck %s

// CHECK-LABEL: func.func @side_by_side
// CHECK-NEXT:    affine.vector_store %x, %A[%i, %v]
// CHECK-NEXT:    vector.maskedstore %A[%i, %v], %m, %x
// CHECK-NEXT:    vector.store %x, %A[%i, %v] {alignment = 32 : i64, nontemporal = true}
// CHECK-NEXT:    vector.maskedstore %A[%i, %v], %m, %x
func.func @side_by_side(%A : memref<?x?xf64>, %i : index, %v : index, %m : vector<4xi1>, %x : vector<4xf64>) {
  pvec.write %x, %A[%i, %v] : memref<?x?xf64>, vector<4xf64>
  pvec.write %x, %A[%i, %v] masked %m : memref<?x?xf64>, vector<4xf64>
  pvec.write %x, %A[%i, %v] nontemporal : memref<?x?xf64>, vector<4xf64>
  pvec.write %x, %A[%i, %v] masked %m nontemporal : memref<?x?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @backward
// CHECK-NEXT:    [[R:%.*]] = vector.shuffle %x, %x [3, 2, 1, 0]
// CHECK-NEXT:    affine.vector_store [[R]], %A[%v * -1 + 6]
// CHECK-NEXT:    [[M:%.*]] = vector.shuffle %m, %m [3, 2, 1, 0]
// CHECK:         vector.maskedstore %A[{{.*}}], [[M]],
func.func @backward(%A : memref<?xf64>, %v : index, %m : vector<4xi1>, %x : vector<4xf64>) {
  pvec.write %x, %A[%v * -1 + 9] by [-1] : memref<?xf64>, vector<4xf64>
  pvec.write %x, %A[%v * -1 + 9] by [-1] masked %m : memref<?xf64>, vector<4xf64>
  func.return
}

// Elements in between stay as they are.
// CHECK-LABEL: func.func @apart
// CHECK:         pvec.strided_store %x, %A[{{.*}}] by [2] :
// CHECK:         pvec.strided_store %x, %A[%v] by [3] masked %m
func.func @apart(%A : memref<?xf64>, %v : index, %m : vector<4xi1>, %x : vector<4xf64>) {
  pvec.write %x, %A[%v * 2] by [2] : memref<?xf64>, vector<4xf64>
  pvec.write %x, %A[%v] by [3] masked %m : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @in_turns
// CHECK-NEXT:    [[LOW:%.*]] = vector.shuffle %x, %y [0, 4, 1, 5]
// CHECK-NEXT:    [[HIGH:%.*]] = vector.shuffle %x, %y [2, 6, 3, 7]
// CHECK-NEXT:    affine.vector_store [[LOW]], %A[%v * 2]
// CHECK-NEXT:    affine.vector_store [[HIGH]], %A[%v * 2 + 4]
func.func @in_turns(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %y : vector<4xf64>) {
  pvec.write_in_turns (%x, %y), %A[%v * 2] : memref<?xf64>, vector<4xf64>
  func.return
}

// What is left out is masked.
// CHECK-LABEL: func.func @with_gaps
// CHECK-NEXT:    [[LOW:%.*]] = vector.shuffle %x, %y [0, {{.}}, 4, {{.}}]
// CHECK-NEXT:    [[NEXT:%.*]] = vector.shuffle %x, %y [1, {{.}}, 5, {{.}}]
// CHECK:         [[MASK:%.*]] = arith.constant dense<[true, false, true, false]> : vector<4xi1>
// CHECK:         vector.maskedstore %A[{{.*}}], [[MASK]], [[LOW]]
// CHECK:         vector.maskedstore %A[{{.*}}], {{.*}}, [[NEXT]]
func.func @with_gaps(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %y : vector<4xf64>) {
  pvec.write_in_turns (%x, %y), %A[%v * 4] by [4] at [0, 2] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @square
// CHECK-COUNT-2: vector.shuffle
// CHECK-NEXT:    affine.vector_store {{%.*}}, %A[%i, %v]
// CHECK-NEXT:    affine.vector_store {{%.*}}, %A[%i + 1, %v]
func.func @square(%A : memref<?x?xf64>, %i : index, %v : index, %x : vector<2xf64>, %y : vector<2xf64>) {
  pvec.write_square (%x, %y), %A[%i, %v] by [1, 0] : memref<?x?xf64>, vector<2xf64>
  func.return
}
