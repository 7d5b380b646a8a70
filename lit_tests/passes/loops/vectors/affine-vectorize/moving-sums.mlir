// A moving sum takes what comes and gives what goes in two steps: what the first one has left is
// overwritten unseen, and both are one recurrence. Where somebody looks between, it stays.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

// CHECK-LABEL: func.func @moving
// CHECK:         affine.for %v = {{.*}} step 16
// CHECK-NOT:     affine.store
// CHECK:         vector.shuffle
func.func @moving(%n : index, %A : memref<?xi32> {llvm.noalias}, %B : memref<?xi32> {llvm.noalias}) {
  %s = memref.alloca() : memref<i32>
  affine.for %i = 8 to %n {
    %a = affine.load %A[%i] : memref<?xi32>
    %old = affine.load %s[] : memref<i32>
    %more = arith.addi %old, %a : i32
    affine.store %more, %s[] : memref<i32>
    %b = affine.load %A[%i - 8] : memref<?xi32>
    %again = affine.load %s[] : memref<i32>
    %less = arith.subi %again, %b : i32
    affine.store %less, %s[] : memref<i32>
    %new = affine.load %s[] : memref<i32>
    affine.store %new, %B[%i] : memref<?xi32>
  }
  func.return
}

// CHECK-LABEL: func.func @seen
// CHECK-NOT:     vector
// CHECK:         affine.store {{.*}}, %S[0]
// CHECK:         affine.load %T[0]
// CHECK:         affine.store {{.*}}, %S[0]
// CHECK-NOT:     vector
func.func @seen(%n : index, %A : memref<?xi32> {llvm.noalias}, %S : memref<?xi32>, %T : memref<?xi32>) {
  affine.for %i = 8 to %n {
    %a = affine.load %A[%i] : memref<?xi32>
    %old = affine.load %S[0] : memref<?xi32>
    %more = arith.addi %old, %a : i32
    affine.store %more, %S[0] : memref<?xi32>
    %seen = affine.load %T[0] : memref<?xi32>
    %less = arith.subi %more, %seen : i32
    affine.store %less, %S[0] : memref<?xi32>
  }
  func.return
}
