// What an iteration takes up from another one may be as far away as a value says that is there when
// the loop runs: vectors where that is behind, or far enough before; one by one where it is not, and
// where the distance is known, or not the same in all iterations.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"},affine-peel-masks{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

func.func @before(%n : index, %v : index, %A : memref<?xi64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xi64>
    %w = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%i, %v)
    %y = affine.load %A[%w] : memref<?xi64>
    %z = arith.addi %x, %y : i64
    affine.store %z, %A[%i] : memref<?xi64>
  }
  func.return
}

// CHECK-LABEL: func.func @before
// CHECK:         [[OK:%.*]] = affine.min affine_map<(d0) -> (d0, ((d0 * -1) + 36))> (%v)
// CHECK-NEXT:    "affine.if"([[OK]]) <{condition = affine_set<(d0) : ((d0 * -1) >= 0)>}> ({
// CHECK:           vector<8xi64>
// CHECK:         }, {
// CHECK-NOT:       vector<
// CHECK:           affine.for
// CHECK-NOT:       vector<
// CHECK:         no_vector

func.func @in_a_row(%n : index, %v : index, %A : memref<16x?xf64> {llvm.noalias}) {
  affine.for %j = 0 to 16 {
    affine.for %i = 0 to %n {
      %w = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %v)
      %y = affine.load %A[%j, %w] : memref<16x?xf64>
      %z = arith.mulf %y, %y : f64
      affine.store %z, %A[%j, %i] : memref<16x?xf64>
    } {poly.loop = #poly.loop<serial>}
  }
  func.return
}

// CHECK-LABEL: func.func @in_a_row
// CHECK:         affine.min {{.*}} (%v)
// CHECK:         vector<8xf64>

func.func @known(%n : index, %v : index, %A : memref<?xi64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xi64>
    %w = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%i, %v)
    %y = affine.load %A[%w] : memref<?xi64>
    %near = affine.load %A[%i - 7] : memref<?xi64>
    %z = arith.addi %x, %y : i64
    %u = arith.muli %z, %near : i64
    affine.store %u, %A[%i] : memref<?xi64>
  }
  func.return
}

// CHECK-LABEL: func.func @known
// CHECK-NOT:     vector<

func.func @mirrored(%n : index, %v : index, %A : memref<?xi64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xi64>
    %w = affine.apply affine_map<(d0, d1) -> (d1 - d0)>(%i, %v)
    %y = affine.load %A[%w] : memref<?xi64>
    %z = arith.addi %x, %y : i64
    affine.store %z, %A[%i] : memref<?xi64>
  }
  func.return
}

// CHECK-LABEL: func.func @mirrored
// CHECK-NOT:     vector<

func.func @asked_for(%n : index, %v : index, %A : memref<?xi64> {llvm.noalias}, %B : memref<?xi64>) {
  affine.for %i = 0 to %n {
    %w = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%i, %v)
    %y = affine.load %A[%w] : memref<?xi64>
    %z = arith.addi %y, %y : i64
    affine.store %z, %A[%i] : memref<?xi64>
  } {poly.loop = #poly.loop<serial, no_vector>}
  func.return
}

// CHECK-LABEL: func.func @asked_for
// CHECK-NOT:     vector<
