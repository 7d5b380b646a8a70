// Four rows in the lanes of a vector; what a row needs of its last element stays in a register,
// and only the last rows have a mask. Stretches of four elements of the rows are transposed
// before, and what was computed is transposed back; what is left before and after them goes
// element by element.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true},share-transfers,lower-transfers' | filecheck %s

func.func @rows(%n : index, %m : index, %A : memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 1 to %m {
      %x = affine.load %A[%i, %j - 1] : memref<?x?xf64>
      %y = affine.load %A[%i, %j] : memref<?x?xf64>
      %s = arith.divf %y, %x : f64
      affine.store %s, %A[%i, %j] : memref<?x?xf64>
    }
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK-NEXT:    affine.for %i = 0 to {{.*}} step 4 {
// CHECK-NEXT:      "affine.if"(%n, %i)
// CHECK:             [[FIRST:%\d+]] = pvec.strided_load %A[%i, {{.*}}] by [1, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK:             [[UP:%\d+]] = affine.for %time = 1 to {{.*}} iter_args([[LAST:%\d+]] = [[FIRST]]) -> (vector<4xf64>) {
// CHECK-NEXT:          [[Y:%\d+]] = pvec.strided_load %A[%i, %time] by [1, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          [[S:%\d+]] = arith.divf [[Y]], [[LAST]] : vector<4xf64>
// CHECK-NEXT:          pvec.strided_store [[S]], %A[%i, %time] by [1, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          affine.yield [[S]] : vector<4xf64>
// CHECK:             [[DONE:%\d+]] = affine.for %stretch = {{.*}} step 4 iter_args([[BEGIN:%\d+]] = [[UP]])
// CHECK-NEXT:          [[ROW0:%\d+]] = affine.vector_load %A[%i, %stretch]
// CHECK-NEXT:          affine.vector_load %A[%i + 1, %stretch]
// CHECK-NEXT:          [[ROW2:%\d+]] = affine.vector_load %A[%i + 2, %stretch]
// CHECK-NEXT:          affine.vector_load %A[%i + 3, %stretch]
// CHECK-NEXT:          vector.shuffle [[ROW0]], [[ROW2]] [0, 1, 4, 5]
// CHECK-COUNT-4:       affine.vector_store {{.*}}, %transposed[
// CHECK-NEXT:          affine.for %time_1 = {{.*}}(%stretch) to {{.*}} iter_args([[OLD:%\d+]] = [[BEGIN]])
// CHECK-NEXT:            [[COLUMN:%\d+]] = affine.vector_load %transposed[0, %time_1 + %stretch * -1, 0]
// CHECK-NEXT:            [[NEW:%\d+]] = arith.divf [[COLUMN]], [[OLD]] : vector<4xf64>
// CHECK-NEXT:            affine.vector_store [[NEW]], %transposed_1[0, %time_1 + %stretch * -1, 0]
// CHECK-NEXT:            affine.yield [[NEW]] : vector<4xf64>
// CHECK:               affine.vector_store {{.*}}, %A[%i + 3, %stretch]
// CHECK:             affine.for %time_2 = {{.*}} iter_args({{.*}} = [[DONE]])
// CHECK:         }, {
// CHECK:           [[MASK:%\d+]] = vector.create_mask
// CHECK:           pvec.strided_store {{.*}} masked [[MASK]]

// The sum stays in a register, and each row is divided by its own: along the row.
func.func @sums(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias}, %S : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %s = affine.load %S[%i] : memref<?xf64>
      %x = affine.load %A[%i, %j] : memref<?x?xf64>
      %t = arith.addf %s, %x : f64
      affine.store %t, %S[%i] : memref<?xf64>
    }
    affine.for %k = 0 to %m {
      %x = affine.load %A[%i, %k] : memref<?x?xf64>
      %s = affine.load %S[%i] : memref<?xf64>
      %q = arith.divf %x, %s : f64
      affine.store %q, %A[%i, %k] : memref<?x?xf64>
    }
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @sums
// CHECK:             [[SUMS:%\d+]] = affine.vector_load %S[%i]
// CHECK:             affine.for %stretch = 0 to {{.*}} iter_args({{.*}} = [[SUMS]])
// CHECK-NOT:           %S[
// CHECK:             [[TOTAL:%\d+]] = affine.for %time_1
// CHECK:             affine.vector_store [[TOTAL]], %S[%i]
// CHECK:             affine.for %i_1 = {{.*}}(%i) to {{.*}}(%i) {
// CHECK-NEXT:          affine.for %k = 0 to %m {
// CHECK-NEXT:            affine.load %A[%i_1, %k]

// What is the same for all rows is there as long as one of them is: it is loaded without the mask of the
// last ones.
func.func @weighed(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias}, %V : memref<?xf64> {llvm.noalias}, %S : memref<?xf64> {llvm.noalias}, %t : memref<f64> {llvm.noalias}) {
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %m {
      %s = affine.load %S[%j] : memref<?xf64>
      %v = affine.load %V[%i] : memref<?xf64>
      %a = affine.load %A[%i, %j] : memref<?x?xf64>
      %p = arith.mulf %v, %a : f64
      %u = arith.addf %s, %p : f64
      affine.store %u, %S[%j] : memref<?xf64>
    }
    %s = affine.load %S[%j] : memref<?xf64>
    %t0 = affine.load %t[] : memref<f64>
    %q = arith.divf %s, %t0 : f64
    affine.store %q, %S[%j] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @weighed
// CHECK:             vector.create_mask
// CHECK:             affine.for %time_1
// CHECK-NEXT:          affine.load %V[%time_1]
// CHECK-NEXT:          vector.broadcast
// CHECK:               vector.maskedload %A[%time_1, %j]
// CHECK:             affine.load %t[]
// CHECK-NEXT:        vector.broadcast
// CHECK:             vector.maskedstore %S[%j]
