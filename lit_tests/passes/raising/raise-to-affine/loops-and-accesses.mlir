// for (i = 0; i < n; i += 2) if (i != 4) B[i / 2] = A[i + 1];
// Loops, subscripts and conditions whose arithmetic is affine become maps; a loop whose step is not
// known stays, and a remark says why.
// RUN: polyopt-opt %s -p raise-to-affine --remarks 2> %t.remarks | filecheck %s
// RUN: filecheck %s --check-prefix=REMARKS < %t.remarks

// CHECK-LABEL: func.func @taken
// CHECK-NEXT:    affine.for %i = 0 to %n step 2 {
// CHECK-NEXT:      "affine.if"(%i) <{condition = affine_set<(d0) : ((d0 + -4) == 0)>}> ({
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }, {
// CHECK-NEXT:        %x = affine.load %A[%i + 1] : memref<?xf64>
// CHECK-NEXT:        affine.store %x, %B[%i floordiv 2] : memref<?xf64>
func.func @taken(%A : memref<?xf64>, %B : memref<?xf64>, %n : index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c2 {
    %other = arith.cmpi ne, %i, %c4 : index
    scf.if %other {
      %next = arith.addi %i, %c1 : index
      %half = arith.divui %i, %c2 : index
      %x = memref.load %A[%next] : memref<?xf64>
      memref.store %x, %B[%half] : memref<?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @left
// CHECK:         scf.for %i = %c0 to %n step %s {
// CHECK-NEXT:      memref.store %x, %A[%i] : memref<?xf64>
// REMARKS:       loops-and-accesses.mlir:38:3: missed: loop i not optimised: its step is not a constant; arith.constant makes it one [not-affine]
func.func @left(%A : memref<?xf64>, %x : f64, %n : index, %s : index) {
  %c0 = arith.constant 0 : index

  scf.for %i = %c0 to %n step %s {
    memref.store %x, %A[%i] : memref<?xf64>
  }
  func.return
}
