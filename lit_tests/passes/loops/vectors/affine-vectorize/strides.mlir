// Backward, and every other element: from the vectors in which they lie. What is left over at the
// end of a row is masked, the mask reversed too.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s

func.func @backward(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i * -1 + 50] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %B[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @backward
// CHECK:         affine.for %v = 0 to {{.*}} step 4 {
// CHECK-NEXT:      [[X:%\d+]] = affine.vector_load %A[%v * -1 + 47] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:      [[R:%\d+]] = vector.shuffle [[X]], [[X]] [3, 2, 1, 0]
// CHECK-NEXT:      [[Y:%\d+]] = arith.mulf [[R]], [[R]] : vector<4xf64>
// CHECK-NEXT:      affine.vector_store [[Y]], %B[%v]
// CHECK:         affine.for
// CHECK:           [[M:%\d+]] = vector.create_mask
// CHECK-NEXT:      [[T:%\d+]] = vector.shuffle [[M]], [[M]] [3, 2, 1, 0]
// CHECK:           vector.maskedload %A[{{.*}}], [[T]]

func.func @pairs(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i * 2] : memref<?xf64>
    %y = affine.load %A[%i * 2 + 1] : memref<?xf64>
    %s = arith.addf %x, %y : f64
    affine.store %s, %B[%i * -1 + 50] : memref<?xf64>
  }
  func.return
}

// Both take their elements from the same two vectors.
// CHECK-LABEL: func.func @pairs
// CHECK:         affine.for %v = 0 to {{.*}} step 4 {
// CHECK-NEXT:      [[LOW:%\d+]] = affine.vector_load %A[%v * 2]
// CHECK-NEXT:      [[HIGH:%\d+]] = affine.vector_load %A[%v * 2 + 4]
// CHECK-NEXT:      [[FIRST:%\d+]] = vector.shuffle [[LOW]], [[HIGH]] [0, 1, 4, 5]
// CHECK-NEXT:      [[SECOND:%\d+]] = vector.shuffle [[LOW]], [[HIGH]] [2, 3, 6, 7]
// CHECK-NEXT:      [[EVEN:%\d+]] = vector.shuffle [[FIRST]], [[SECOND]] [0, 4, 2, 6]
// CHECK-NEXT:      [[ODD:%\d+]] = vector.shuffle [[FIRST]], [[SECOND]] [1, 5, 3, 7]
// CHECK-NEXT:      [[S:%\d+]] = arith.addf [[EVEN]], [[ODD]]
// CHECK-NEXT:      [[R:%\d+]] = vector.shuffle [[S]], [[S]] [3, 2, 1, 0]
// CHECK-NEXT:      affine.vector_store [[R]], %B[%v * -1 + 47]

// Of what is left over, the same from the elements of the lanes that there are, and no others.
// CHECK:           [[M:%\d+]] = vector.create_mask
// CHECK:           [[LOWER:%\d+]] = vector.shuffle [[M]], {{.*}} [0, 4, 1, 4] : vector<4xi1>
// CHECK:           [[X:%\d+]] = vector.maskedload %A[{{.*}}], [[LOWER]]
// CHECK:           [[UPPER:%\d+]] = vector.shuffle [[M]], {{.*}} [4, 2, 4, 3] : vector<4xi1>
// CHECK:           [[Y:%\d+]] = vector.maskedload %A[{{.*}}], [[UPPER]]
// CHECK-NEXT:      vector.shuffle [[X]], [[Y]] [0, 2, 5, 7]

func.func @alone(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i * 2] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %B[%i] : memref<?xf64>
  }
  func.return
}

// Of the second vector only what is before the last element: nothing behind it is touched.
// CHECK-LABEL: func.func @alone
// CHECK:           [[LOW:%\d+]] = affine.vector_load %A[%v * 2]
// CHECK-NEXT:      [[HIGH:%\d+]] = affine.vector_load %A[%v * 2 + 3]
// CHECK-NEXT:      vector.shuffle [[LOW]], [[HIGH]] [0, 2, 5, 7]

func.func @gaps(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    affine.store %y, %B[%i * 2] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @gaps
// CHECK-NOT:     vector
// CHECK:         func.return

// A sum in its own order: its products stay apart from it.
// CHECK-LABEL: func.func @in_order
// CHECK:           arith.mulf %x, %x {poly.rounding = #poly.rounding<unfused>} : f64
func.func @in_order(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %s = affine.load %B[0] : memref<?xf64>
    %x = affine.load %A[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    %t = arith.addf %s, %y : f64
    affine.store %t, %B[0] : memref<?xf64>
  }
  func.return
}

// In any order it is for LLVM to say.
// CHECK-LABEL: func.func @in_any_order
// CHECK:           arith.mulf %x, %y : f64
func.func @in_any_order(%n : index, %A : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %s = affine.load %A[100] : memref<?xf64>
    %x = affine.load %A[%i] : memref<?xf64>
    %y = affine.load %A[%i + 1] : memref<?xf64>
    %z = arith.mulf %x, %y : f64
    %t = arith.addf %s, %z fastmath<reassoc> : f64
    affine.store %t, %A[100] : memref<?xf64>
  }
  func.return
}

func.func @three_around(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i * 2] : memref<?xf64>
    %y = affine.load %A[%i * 2 + 1] : memref<?xf64>
    %z = affine.load %A[%i * 2 + 2] : memref<?xf64>
    %s = arith.addf %x, %y : f64
    %t = arith.addf %s, %z : f64
    affine.store %t, %B[%i] : memref<?xf64>
  }
  func.return
}

// Further apart than a stride: the first two in one window, the third in the next one.
// CHECK-LABEL: func.func @three_around
// CHECK:         affine.for %v = 0 to {{.*}} step 4 {
// CHECK-NEXT:      [[LOW:%\d+]] = affine.vector_load %A[%v * 2]
// CHECK-NEXT:      [[HIGH:%\d+]] = affine.vector_load %A[%v * 2 + 4]
// CHECK-COUNT-4:   vector.shuffle
// CHECK-NEXT:      [[NEXT:%\d+]] = affine.vector_load %A[%v * 2 + 2]
// CHECK-NEXT:      [[LAST:%\d+]] = affine.vector_load %A[%v * 2 + 5]
// CHECK-NEXT:      vector.shuffle [[NEXT]], [[LAST]] [0, 2, 5, 7]

func.func @four_backward(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i * -2 + 96] : memref<?xf64>
    %b = affine.load %A[%i * -2 + 97] : memref<?xf64>
    %c = affine.load %A[%i * -2 + 98] : memref<?xf64>
    %d = affine.load %A[%i * -2 + 99] : memref<?xf64>
    %s = arith.addf %a, %b : f64
    %t = arith.addf %s, %c : f64
    %u = arith.addf %t, %d : f64
    affine.store %u, %B[%i] : memref<?xf64>
  }
  func.return
}

// Two full windows: four loads for four vectors.
// CHECK-LABEL: func.func @four_backward
// CHECK:         affine.for %v = 0 to {{.*}} step 4 {
// CHECK-NEXT:      [[LOW:%\d+]] = affine.vector_load %A[%v * -2 + 90]
// CHECK-NEXT:      [[HIGH:%\d+]] = affine.vector_load %A[%v * -2 + 94]
// CHECK-NEXT:      [[FIRST:%\d+]] = vector.shuffle [[HIGH]], [[LOW]] [0, 1, 4, 5]
// CHECK-NEXT:      [[SECOND:%\d+]] = vector.shuffle [[HIGH]], [[LOW]] [2, 3, 6, 7]
// CHECK-NEXT:      vector.shuffle [[FIRST]], [[SECOND]] [4, 0, 6, 2]
// CHECK-NEXT:      vector.shuffle [[FIRST]], [[SECOND]] [5, 1, 7, 3]
// CHECK-COUNT-2:   affine.vector_load
// CHECK-NOT:       affine.vector_load
// CHECK:           affine.vector_store
