// What becomes of reads, in a module that no front end of ours made.
// RUN: polyopt-opt %s -p 'lower-transfers{march="x86-64-v4"}' | filecheck %s

// CHECK-LABEL: func.func @side_by_side
// CHECK-NEXT:    affine.vector_load %A[%i + 1, %v] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:    %0 = affine.apply
// CHECK:         vector.maskedload %A[%0, %v], %m,
// CHECK-NOT:     pvec
func.func @side_by_side(%A : memref<?x?xf64>, %i : index, %v : index, %m : vector<4xi1>) {
  %a = pvec.read %A[%i + 1, %v] : memref<?x?xf64>, vector<4xf64>
  %b = pvec.read %A[%i + 1, %v] masked %m : memref<?x?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @one_for_all
// CHECK-NEXT:    [[X:%.*]] = affine.load %A[%i, %v] : memref<?x?xf64>
// CHECK-NEXT:    vector.broadcast [[X]] : f64 to vector<4xf64>
// Where no lane is set, the element need not be there.
// CHECK:         [[ANY:%.*]] = vector.reduction <or>, %m : vector<4xi1> into i1
// CHECK-NEXT:    [[COUNT:%.*]] = arith.select [[ANY]], {{%.*}}, {{%.*}} : index
// CHECK-NEXT:    [[FIRST:%.*]] = vector.create_mask [[COUNT]]
// CHECK:         [[Y:%.*]] = vector.maskedload %A[{{.*}}], [[FIRST]],
// CHECK-NEXT:    [[Y0:%.*]] = vector.extract [[Y]][0]
// CHECK-NEXT:    vector.broadcast [[Y0]] : f64 to vector<4xf64>
func.func @one_for_all(%A : memref<?x?xf64>, %i : index, %v : index, %m : vector<4xi1>) {
  %a = pvec.read %A[%i, %v] by [0, 0] : memref<?x?xf64>, vector<4xf64>
  %b = pvec.read %A[%i, %v] by [0, 0] masked %m : memref<?x?xf64>, vector<4xf64>
  func.return
}

// Of an array of no dimensions a row is made, for there is no masked load of one element.
// CHECK-LABEL: func.func @of_no_dimensions
// CHECK:         [[AT:%.*]] = cmem.address %A[]
// CHECK-NEXT:    [[ROW:%.*]] = cmem.view [[AT]][] : memref<?xf64>
// CHECK:         vector.maskedload [[ROW]][
func.func @of_no_dimensions(%A : memref<f64>, %m : vector<4xi1>) {
  %a = pvec.read %A[] by [] masked %m : memref<f64>, vector<4xf64>
  func.return
}

// Two reads of one window take their elements from the same loads.
// CHECK-LABEL: func.func @pairs
// CHECK-NEXT:    [[LOW:%.*]] = affine.vector_load %A[%v * 2] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    [[HIGH:%.*]] = affine.vector_load %A[%v * 2 + 4] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    vector.shuffle [[LOW]], [[HIGH]] [0, 2, 4, 6]
// CHECK-NEXT:    vector.shuffle [[LOW]], [[HIGH]] [1, 3, 5, 7]
// CHECK-NEXT:    func.return
func.func @pairs(%A : memref<?xf64>, %v : index) {
  %x = pvec.read %A[%v * 2] by [2] within [0, 1] : memref<?xf64>, vector<4xf64>
  %y = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf64>, vector<4xf64>
  func.return
}

// What several need is shuffled once: eight shuffles, where four vectors alone would take three each.
// CHECK-LABEL: func.func @fours
// CHECK-COUNT-4: affine.vector_load %A
// CHECK-COUNT-8: vector.shuffle
// CHECK-NEXT:    func.return
func.func @fours(%A : memref<?xf64>, %v : index) {
  %x = pvec.read %A[%v * 4] by [4] within [0, 1, 2, 3] : memref<?xf64>, vector<4xf64>
  %y = pvec.read %A[%v * 4 + 1] by [4] within [-1, 0, 1, 2] : memref<?xf64>, vector<4xf64>
  %z = pvec.read %A[%v * 4 + 2] by [4] within [-2, -1, 0, 1] : memref<?xf64>, vector<4xf64>
  %w = pvec.read %A[%v * 4 + 3] by [4] within [-3, -2, -1, 0] : memref<?xf64>, vector<4xf64>
  func.return
}

// What is written to another row changes nothing; to one that may be this one, it does.
// CHECK-LABEL: func.func @another_row
// CHECK-COUNT-2: affine.vector_load %A[%i, %v * 2
// CHECK-NOT:     affine.vector_load
// CHECK:         affine.vector_store %c, %A[%i + 1, %v]
// CHECK-NOT:     affine.vector_load
// CHECK:         affine.vector_store %c, %A[%j, %v]
// CHECK-COUNT-2: affine.vector_load %A[%i, %v * 2
func.func @another_row(%A : memref<?x?xf64>, %i : index, %j : index, %v : index, %c : vector<4xf64>) {
  %x = pvec.read %A[%i, %v * 2] by [0, 2] within [0, 1] : memref<?x?xf64>, vector<4xf64>
  pvec.write %c, %A[%i + 1, %v] : memref<?x?xf64>, vector<4xf64>
  %y = pvec.read %A[%i, %v * 2 + 1] by [0, 2] within [-1, 0] : memref<?x?xf64>, vector<4xf64>
  pvec.write %c, %A[%j, %v] : memref<?x?xf64>, vector<4xf64>
  %z = pvec.read %A[%i, %v * 2 + 1] by [0, 2] within [-1, 0] : memref<?x?xf64>, vector<4xf64>
  func.return
}

// Not where something is written in between.
// CHECK-LABEL: func.func @written_between
// CHECK-COUNT-2: affine.vector_load %A[%v * 2
// CHECK:         affine.vector_store %c, %A[%v]
// CHECK-COUNT-2: affine.vector_load %A[%v * 2
// CHECK:         affine.store %s, %A[%v]
// CHECK-COUNT-2: affine.vector_load %A[%v * 2
func.func @written_between(%A : memref<?xf64>, %v : index, %c : vector<4xf64>, %s : f64) {
  %x = pvec.read %A[%v * 2] by [2] within [0, 1] : memref<?xf64>, vector<4xf64>
  pvec.write %c, %A[%v] : memref<?xf64>, vector<4xf64>
  %y = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf64>, vector<4xf64>
  affine.store %s, %A[%v] : memref<?xf64>
  %z = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf64>, vector<4xf64>
  func.return
}

// Nothing is read behind the last element: the second load begins sooner.
// CHECK-LABEL: func.func @alone
// CHECK-NEXT:    [[LOW:%.*]] = affine.vector_load %A[%v * 2]
// CHECK-NEXT:    [[HIGH:%.*]] = affine.vector_load %A[%v * 2 + 3]
// CHECK-NEXT:    vector.shuffle [[LOW]], [[HIGH]] [0, 2, 5, 7]
func.func @alone(%A : memref<?xf64>, %v : index) {
  %x = pvec.read %A[%v * 2] by [2] within [0] : memref<?xf64>, vector<4xf64>
  func.return
}

// Masked, each load has the mask of the elements that are wanted, whatever the window is.
// CHECK-LABEL: func.func @masked
// CHECK:         [[LOW:%.*]] = vector.shuffle %m, {{%.*}} [0, 4, 1, 4] : vector<4xi1>
// CHECK:         [[X:%.*]] = vector.maskedload %A[{{.*}}], [[LOW]]
// CHECK:         [[HIGH:%.*]] = vector.shuffle %m, {{%.*}} [4, 2, 4, 3] : vector<4xi1>
// CHECK:         [[Y:%.*]] = vector.maskedload %A[{{.*}}], [[HIGH]]
// CHECK-NEXT:    vector.shuffle [[X]], [[Y]] [0, 2, 5, 7]
func.func @masked(%A : memref<?xf64>, %v : index, %m : vector<4xi1>) {
  %x = pvec.read %A[%v * 2] by [2] within [0, 1] masked %m : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @backward
// CHECK-NEXT:    [[X:%.*]] = affine.vector_load %A[%v * -1 + 6]
// CHECK-NEXT:    vector.shuffle [[X]], [[X]] [3, 2, 1, 0]
// CHECK:         [[M:%.*]] = vector.shuffle %m, %m [3, 2, 1, 0]
// CHECK:         [[Y:%.*]] = vector.maskedload %A[{{.*}}], [[M]]
// CHECK-NEXT:    vector.shuffle [[Y]], [[Y]] [3, 2, 1, 0]
func.func @backward(%A : memref<?xf64>, %v : index, %m : vector<4xi1>) {
  %x = pvec.read %A[%v * -1 + 9] by [-1] : memref<?xf64>, vector<4xf64>
  %y = pvec.read %A[%v * -1 + 9] by [-1] masked %m : memref<?xf64>, vector<4xf64>
  func.return
}

// Lanes that are apart, and not to be taken from what lies around them.
// CHECK-LABEL: func.func @far_apart
// CHECK:         pvec.strided_load %A[%i, %v] by [0, 2] :
// CHECK:         pvec.strided_load %A[%i, %v] by [1, 0] masked %m
// CHECK:         pvec.strided_load %A[%i, %v] by [1, -1] :
func.func @far_apart(%A : memref<?x?xf64>, %i : index, %v : index, %m : vector<4xi1>) {
  %x = pvec.read %A[%i, %v] by [0, 2] : memref<?x?xf64>, vector<4xf64>
  %y = pvec.read %A[%i, %v] by [1, 0] masked %m : memref<?x?xf64>, vector<4xf64>
  %z = pvec.read %A[%i, %v] by [1, -1] : memref<?x?xf64>, vector<4xf64>
  func.return
}

// Rows, transposed; upside down they are read from the bottom.
// CHECK-LABEL: func.func @square
// CHECK-NEXT:    affine.vector_load %A[%i, %v]
// CHECK-NEXT:    affine.vector_load %A[%i + -1, %v]
// CHECK-COUNT-2: vector.shuffle
func.func @square(%A : memref<?x?xf64>, %i : index, %v : index) {
  %x, %y = pvec.read_square %A[%i, %v] by [-1, 0] : memref<?x?xf64>, vector<2xf64>
  func.return
}

// A subscript that divides is computed where it is used.
// CHECK-LABEL: func.func @halves
// CHECK:         [[H:%.*]] = affine.apply {{.*}} floordiv 2
// CHECK:         vector.maskedload %A[[[H]]], %m
func.func @halves(%A : memref<?xf64>, %v : index, %m : vector<4xi1>) {
  %x = pvec.read %A[%v floordiv 2] masked %m : memref<?xf64>, vector<4xf64>
  func.return
}

// An array of no dimensions has one element.
// CHECK-LABEL: func.func @scalar
// CHECK-NEXT:    [[X:%.*]] = affine.load %s[] : memref<f64>
// CHECK-NEXT:    vector.broadcast [[X]]
func.func @scalar(%s : memref<f64>) {
  %x = pvec.read %s[] : memref<f64>, vector<4xf64>
  func.return
}
