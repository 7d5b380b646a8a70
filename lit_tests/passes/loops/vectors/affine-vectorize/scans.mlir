// A running sum is taken in steps: the last lane of the first half of each block goes to the second
// half, and what came before the vector to all lanes; a recurrence of second order stays.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"},affine-peel-masks{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

func.func @sums(%n : index, %A : memref<?xi64> {llvm.noalias}, %B : memref<?xi64> {llvm.noalias}) {
  %s = memref.alloca() : memref<i64>
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xi64>
    %old = affine.load %s[] : memref<i64>
    %new = arith.addi %old, %a : i64
    affine.store %new, %s[] : memref<i64>
    affine.store %new, %B[%i] : memref<?xi64>
  }
  func.return
}

// CHECK-LABEL: func.func @sums
// CHECK:         [[S:%.*]] = affine.load %s[] : memref<i64>
// CHECK-NEXT:    [[LEFT:%.*]] = vector.broadcast [[S]] : i64 to vector<8xi64>
// CHECK:         affine.for %v = 0 {{.*}} iter_args([[L:%.*]] = [[LEFT]])
// CHECK:           [[A:%.*]] = affine.vector_load %A[%v]
// CHECK:           [[A0:%.*]] = vector.shuffle {{%.*}}, [[A]] [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK-NEXT:      [[A1:%.*]] = arith.addi [[A]], [[A0]]
// CHECK:           [[A2:%.*]] = vector.shuffle {{%.*}}, [[A1]] [0, 1, 9, 9, 4, 5, 13, 13]
// CHECK-NEXT:      [[A3:%.*]] = arith.addi [[A1]], [[A2]]
// CHECK:           [[A4:%.*]] = vector.shuffle {{%.*}}, [[A3]] [0, 1, 2, 3, 11, 11, 11, 11]
// CHECK-NEXT:      [[A5:%.*]] = arith.addi [[A3]], [[A4]]
// CHECK-NEXT:      [[LAST:%.*]] = vector.shuffle [[A5]], [[A5]] [7, 7, 7, 7, 7, 7, 7, 7]
// CHECK-NEXT:      [[B:%.*]] = arith.addi [[A5]], [[L]]
// CHECK-NEXT:      [[NEXT:%.*]] = arith.addi [[LAST]], [[L]]
// CHECK:           affine.vector_store [[B]], %B[%v]
// CHECK-NEXT:      affine.yield [[NEXT]]

func.func @second_order(%n : index, %A : memref<?xi64> {llvm.noalias}) {
  affine.for %i = 2 to %n {
    %x = affine.load %A[%i - 1] : memref<?xi64>
    %y = affine.load %A[%i - 2] : memref<?xi64>
    %z = arith.addi %x, %y : i64
    affine.store %z, %A[%i] : memref<?xi64>
  }
  func.return
}

// CHECK-LABEL: func.func @second_order
// CHECK-NOT:     vector

// Sums of which only the last is wanted are no scans, whatever else keeps them from being lanes.
func.func @only_the_last(%n : index, %A : memref<?xf64>) {
  %S = memref.alloca() : memref<f64>
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %l = math.log %a fastmath<fast> : f64
    %old = affine.load %S[] : memref<f64>
    %new = arith.addf %old, %l fastmath<fast> : f64
    affine.store %new, %S[] : memref<f64>
  }
  func.return
}

// CHECK-LABEL: func.func @only_the_last
// CHECK-NOT:     vector

// Here each is wanted: it is read again.
func.func @each_is_read(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  %S = memref.alloca() : memref<f64>
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %old = affine.load %S[] : memref<f64>
    %new = arith.addf %old, %a fastmath<fast> : f64
    affine.store %new, %S[] : memref<f64>
    %again = affine.load %S[] : memref<f64>
    affine.store %again, %B[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @each_is_read
// CHECK:         vector.shuffle

// Every second iteration only; and bounds that are quotients are none to count from.
func.func @each_second(%n : index, %A : memref<?xi64> {llvm.noalias}, %B : memref<?xi64> {llvm.noalias}) {
  %S = memref.alloca() : memref<i64>
  affine.for %i = 0 to %n step 2 {
    %a = affine.load %A[%i] : memref<?xi64>
    %old = affine.load %S[] : memref<i64>
    %new = arith.addi %old, %a : i64
    affine.store %new, %S[] : memref<i64>
    affine.store %new, %B[%i] : memref<?xi64>
  }
  affine.for %i = affine_map<(d0) -> (d0 floordiv 3)>(%n) to affine_map<(d0) -> (d0 mod 3)>(%n) {
    %a = affine.load %A[%i] : memref<?xi64>
    %old = affine.load %S[] : memref<i64>
    %new = arith.addi %old, %a : i64
    affine.store %new, %S[] : memref<i64>
    affine.store %new, %B[%i] : memref<?xi64>
  }
  func.return
}

// CHECK-LABEL: func.func @each_second
// CHECK-NOT:     vector
