// Elements that lie apart are gathered where there is enough to compute with them; they are never
// scattered by one instruction, by LLVM neither.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"},affine-peel-masks{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s --check-prefix=NARROW

func.func @looked_up(%n : index, %K : memref<?xi32> {llvm.noalias}, %X : memref<?xf64> {llvm.noalias}, %Y : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %k = affine.load %K[%i] : memref<?xi32>
    %p = arith.index_cast %k : i32 to index
    %c1 = arith.constant 1 : index
    %q = arith.addi %p, %c1 : index
    %x = memref.load %X[%p] : memref<?xf64>
    %y = memref.load %X[%q] : memref<?xf64>
    %d = arith.subf %y, %x : f64
    %e = arith.mulf %d, %d : f64
    %f = arith.mulf %e, %d : f64
    affine.store %f, %Y[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @looked_up
// CHECK:         affine.for %v = 0
// CHECK-NEXT:      [[K:%.*]] = affine.vector_load %K[%v] : memref<?xi32>, vector<8xi32>
// CHECK-NEXT:      [[X:%.*]] = pvec.gather %X[[[K]]] : memref<?xf64>, vector<8xi32> -> vector<8xf64>
// CHECK-NEXT:      [[WIDE:%.*]] = pvec.convert "extsi", [[K]] : vector<8xi32> -> vector<8xi64>
// CHECK:           [[Q:%.*]] = arith.addi [[WIDE]], {{%.*}} : vector<8xi64>
// CHECK-NEXT:      [[Y:%.*]] = pvec.gather %X[[[Q]]] : memref<?xf64>, vector<8xi64> -> vector<8xf64>
// CHECK-NEXT:      arith.subf [[Y]], [[X]] : vector<8xf64>
// CHECK:         affine.for %v_1
// CHECK:           [[MASK:%.*]] = vector.create_mask
// CHECK:           pvec.gather %X[{{%.*}}] masked [[MASK]] : vector<8xi1>
// NARROW-LABEL: func.func @looked_up
// NARROW-NEXT:    affine.for %i = 0 to %n {
// NARROW-NOT:     vector<

func.func @down_a_column(%n : index, %A : memref<?x100xf64> {llvm.noalias}, %Y : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i, 3] : memref<?x100xf64>
    %x2 = arith.mulf %x, %x : f64
    %x3 = arith.mulf %x2, %x : f64
    %x4 = arith.addf %x3, %x2 : f64
    %x5 = arith.mulf %x4, %x : f64
    %x6 = arith.addf %x5, %x : f64
    affine.store %x6, %Y[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @down_a_column
// CHECK:         pvec.strided_load %A[%v, {{%.*}}] by [1, 0] : memref<?x100xf64>, vector<8xf64>
// NARROW-LABEL: func.func @down_a_column
// NARROW:         pvec.strided_load %A[%v, {{%.*}}] by [1, 0] : memref<?x100xf64>, vector<4xf64>

func.func @little_to_compute(%n : index, %X : memref<?xf64> {llvm.noalias}, %Y : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %X[%i * 5] : memref<?xf64>
    %b = affine.load %X[%i * 5 + 1] : memref<?xf64>
    %c = arith.addf %a, %b : f64
    affine.store %c, %Y[%i * 7] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @little_to_compute
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      affine.load %X[%i * 5]
// CHECK-NOT:       vector<
// CHECK:         } {poly.loop = #poly.loop<no_vector>}
// NARROW-LABEL: func.func @little_to_compute
// NARROW-NEXT:    affine.for %i = 0 to %n {
// NARROW-NOT:     vector<

func.func @bytes(%n : index, %K : memref<?xi32> {llvm.noalias}, %X : memref<?xi8> {llvm.noalias}, %Y : memref<?xi8> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %k = affine.load %K[%i] : memref<?xi32>
    %p = arith.index_cast %k : i32 to index
    %x = memref.load %X[%p] : memref<?xi8>
    %x2 = arith.muli %x, %x : i8
    %x3 = arith.muli %x2, %x : i8
    affine.store %x3, %Y[%i] : memref<?xi8>
  }
  func.return
}

// No instruction gathers bytes.
// CHECK-LABEL: func.func @bytes
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NOT:     vector<

func.func @what_another_iteration_stores(%n : index, %K : memref<?xi32> {llvm.noalias}, %Y : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %k = affine.load %K[%i] : memref<?xi32>
    %p = arith.index_cast %k : i32 to index
    %x = memref.load %Y[%p] : memref<?xf64>
    %x2 = arith.mulf %x, %x : f64
    %x3 = arith.mulf %x2, %x : f64
    affine.store %x3, %Y[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @what_another_iteration_stores
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NOT:     vector<

// The first element of rows whose length is known lies as far from the next one as any other; where
// the length is not known, it may be one, for which LLVM has a version. Gathered once for many rows.
func.func @first_of_rows(%n : index, %A : memref<?x8xf64> {llvm.noalias}, %Y : memref<?x100xf64> {llvm.noalias}) {
  affine.for %r = 0 to %n {
    affine.for %i = 0 to 100 {
      %x = affine.load %A[%i, 0] : memref<?x8xf64>
      %x2 = arith.mulf %x, %x : f64
      %x3 = arith.mulf %x2, %x : f64
      %x4 = arith.addf %x3, %x2 : f64
      %x5 = arith.mulf %x4, %x : f64
      %x6 = arith.addf %x5, %x : f64
      affine.store %x6, %Y[%r, %i] : memref<?x100xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @first_of_rows(
// NARROW-LABEL: func.func @first_of_rows(
// CHECK:         vector<8xf64>

func.func @rows_of_any_length(%n : index, %A : memref<?x?xf64> {llvm.noalias}, %Y : memref<?x100xf64> {llvm.noalias}) {
  affine.for %r = 0 to %n {
    affine.for %i = 0 to 100 {
      %x = affine.load %A[%i, 0] : memref<?x?xf64>
      %x2 = arith.mulf %x, %x : f64
      %x3 = arith.mulf %x2, %x : f64
      %x4 = arith.addf %x3, %x2 : f64
      %x5 = arith.mulf %x4, %x : f64
      %x6 = arith.addf %x5, %x : f64
      affine.store %x6, %Y[%r, %i] : memref<?x100xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @rows_of_any_length(
// NARROW-LABEL: func.func @rows_of_any_length(
// CHECK-NOT:     vector<8xf64>

func.func @first_of_rows_once(%n : index, %A : memref<?x8xf64> {llvm.noalias}, %Y : memref<?x100xf64> {llvm.noalias}) {
  affine.for %i = 0 to 100 {
    %x = affine.load %A[%i, 0] : memref<?x8xf64>
    %x2 = arith.mulf %x, %x : f64
    %x3 = arith.mulf %x2, %x : f64
    %x4 = arith.addf %x3, %x2 : f64
    %x5 = arith.mulf %x4, %x : f64
    %x6 = arith.addf %x5, %x : f64
    affine.store %x6, %Y[0, %i] : memref<?x100xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @first_of_rows_once(
// NARROW-LABEL: func.func @first_of_rows_once(
// CHECK-NOT:     vector<8xf64>
