// Along a row that a loop around looks up, lanes lie side by side: the row is looked up once, in
// front of the loop over vectors.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},lower-transfers' | filecheck %s

func.func @rows(%n : index, %m : index, %K : memref<?xi32> {llvm.noalias}, %X : memref<?x?xf64> {llvm.noalias}, %Y : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %k = affine.load %K[%i] : memref<?xi32>
      %p = arith.index_cast %k : i32 to index
      %x = memref.load %X[%p, %j] : memref<?x?xf64>
      affine.store %x, %Y[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK:         affine.for %i
// CHECK:           [[P:%.*]] = arith.index_cast {{.*}} : i32 to index
// CHECK:           affine.for [[V:%.*]] = {{.*}} step 4 {
// CHECK-NEXT:        [[X:%.*]] = affine.vector_load %X{{\[}}[[P]], [[V]]] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:        affine.vector_store [[X]], %Y

// Whose row is another one in each iteration is gathered, which pays on no machine without wide
// vectors.
func.func @columns(%n : index, %K : memref<?xi32> {llvm.noalias}, %X : memref<?x?xf64> {llvm.noalias}, %Y : memref<?xf64> {llvm.noalias}) {
  affine.for %j = 0 to %n {
    %k = affine.load %K[%j] : memref<?xi32>
    %p = arith.index_cast %k : i32 to index
    %x = memref.load %X[%p, %j] : memref<?x?xf64>
    affine.store %x, %Y[%j] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @columns
// CHECK-NOT:     vector
// CHECK:         func.return

// Down a column, and where what is looked up may be what the iteration before has stored.
func.func @refused(%n : index, %m : index, %K : memref<?xi32> {llvm.noalias}, %X : memref<?x?xf64> {llvm.noalias}, %Y : memref<?x?xf64> {llvm.noalias}, %Z : memref<?x?xi32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %k = affine.load %K[%i] : memref<?xi32>
      %p = arith.index_cast %k : i32 to index
      %x = memref.load %X[%j, %p] : memref<?x?xf64>
      affine.store %x, %Y[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
    affine.for %j = 1 to %m {
      %k = affine.load %K[%i] : memref<?xi32>
      %p = arith.index_cast %k : i32 to index
      %q = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
      %z = memref.load %Z[%p, %q] : memref<?x?xi32>
      affine.store %z, %Z[%i, %j] : memref<?x?xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @refused
// CHECK-NOT:     vector
// CHECK:         func.return

// The row before, or the last one in front of the first: chosen once, in front of the loop. What lanes
// choose by their own places is no row.
func.func @around(%n : index, %m : index, %X : memref<?x?xf64> {llvm.noalias}, %Y : memref<?x?xf64> {llvm.noalias}) {
  %one = arith.constant 1 : index
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %first = arith.cmpi slt, %i, %one : index
      %before = arith.subi %i, %one : index
      %last = arith.subi %n, %one : index
      %p = arith.select %first, %last, %before : index
      %x = memref.load %X[%p, %j] : memref<?x?xf64>
      affine.store %x, %Y[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
    affine.for %j = 0 to %m {
      %first = arith.cmpi slt, %j, %one : index
      %p = arith.select %first, %i, %one : index
      %x = memref.load %X[%p, %j] : memref<?x?xf64>
      affine.store %x, %Y[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @around
// CHECK:         [[P:%.*]] = arith.select {{.*}} : index
// CHECK:         affine.for [[V:%.*]] = {{.*}} step 4 {
// CHECK-NEXT:      [[X:%.*]] = affine.vector_load %X{{\[}}[[P]], [[V]]] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:      affine.vector_store [[X]], %Y
// CHECK:         affine.for %j
// CHECK-NOT:     vector
// CHECK:         func.return

// Rows that begin at a quotient, as those of words that hold several numbers do: divided once, in
// front of the loop, and no reason for fewer lanes than there are numbers in a vector.
func.func @packed(%n : index, %m : index, %X : memref<?xf32> {llvm.noalias}, %Y : memref<?x?xf32> {llvm.noalias}) {
  %two = arith.constant 2 : index
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %at = arith.muli %i, %m : index
      %begin = arith.divsi %at, %two : index
      %p = arith.addi %begin, %j : index
      %x = memref.load %X[%p] : memref<?xf32>
      affine.store %x, %Y[%i, %j] : memref<?x?xf32>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @packed
// CHECK:         affine.for %i
// CHECK:           [[B:%.*]] = arith.divsi
// CHECK:           affine.for [[V:%.*]] = {{.*}} step 8 {
// CHECK:             affine.vector_load %X{{\[}}{{.*}}] : memref<?xf32>, vector<8xf32>

// What may be divided by zero is not computed where the loop does not run, and a quotient of the
// iterator is the place of no row.
func.func @unpacked(%n : index, %m : index, %d : index, %X : memref<?xf32> {llvm.noalias}, %Y : memref<?x?xf32> {llvm.noalias}) {
  %two = arith.constant 2 : index
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %begin = arith.divsi %i, %d : index
      %p = arith.addi %begin, %j : index
      %x = memref.load %X[%p] : memref<?xf32>
      affine.store %x, %Y[%i, %j] : memref<?x?xf32>
    } {poly.loop = #poly.loop<parallel>}
    affine.for %j = 0 to %m {
      %p = arith.divsi %j, %two : index
      %x = memref.load %X[%p] : memref<?xf32>
      affine.store %x, %Y[%i, %j] : memref<?x?xf32>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @unpacked
// CHECK-NOT:     vector
// CHECK:         func.return
