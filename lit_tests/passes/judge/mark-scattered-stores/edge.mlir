// At the edges: a loop that runs backward, one whose rows are as long as a parameter says (LLVM asks
// whether that is 1, unless there are no more rows than that, or it is a product), one that stores in
// the same place, and a step of exactly as many elements as LLVM takes together.
// RUN: polyopt-opt %s -p 'mark-scattered-stores{march=x86-64-v3}' | filecheck %s

// CHECK-LABEL: @backward
// CHECK: cf.br {{.*}} {cmem.no_vector}
func.func @backward(%A : memref<?x25xf64>, %n : index, %x : f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%n : index)
^head(%i : index):
  %more = arith.cmpi sgt, %i, %c0 : index
  cf.cond_br %more, ^body, ^end
^body:
  %next = arith.subi %i, %c1 overflow<nsw> : index
  memref.store %x, %A[%next, %c0] : memref<?x25xf64>
  cf.br ^head(%next : index)
^end:
  func.return
}

// CHECK-LABEL: @rows_of_a_parameter
// CHECK-NOT: cmem.no_vector
func.func @rows_of_a_parameter(%p : !llvm.ptr, %n : index, %m : index, %x : f64) {
  %A = cmem.view %p[%m] : memref<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i : index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.store %x, %A[%i, %c0] : memref<?x?xf64>
  %next = arith.addi %i, %c1 overflow<nsw> : index
  cf.br ^head(%next : index)
^end:
  func.return
}

// CHECK-LABEL: @rows_as_many_as_long
// CHECK: cf.br {{.*}} {cmem.no_vector}
func.func @rows_as_many_as_long(%p : !llvm.ptr, %n : index, %x : f64) {
  %A = cmem.view %p[%n] : memref<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i : index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.store %x, %A[%i, %c0] : memref<?x?xf64>
  %next = arith.addi %i, %c1 overflow<nsw> : index
  cf.br ^head(%next : index)
^end:
  func.return
}

// CHECK-LABEL: @rows_of_two_numbers
// CHECK: cf.br {{.*}} {cmem.no_vector}
func.func @rows_of_two_numbers(%p : !llvm.ptr, %n : index, %m : index, %k : index, %x : f64) {
  %both = arith.muli %m, %k overflow<nsw> : index
  %A = cmem.view %p[%both] : memref<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i : index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.store %x, %A[%i, %c0] : memref<?x?xf64>
  %next = arith.addi %i, %c1 overflow<nsw> : index
  cf.br ^head(%next : index)
^end:
  func.return
}

// CHECK-LABEL: @in_place
// CHECK-NOT: cmem.no_vector
func.func @in_place(%A : memref<?x25xf64>, %n : index, %x : f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i : index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.store %x, %A[%n, %c0] : memref<?x25xf64>
  %next = arith.addi %i, %c1 overflow<nsw> : index
  cf.br ^head(%next : index)
^end:
  func.return
}

// CHECK-LABEL: @taken_together
// CHECK-NOT: cmem.no_vector
func.func @taken_together(%A : memref<?x4xf64>, %n : index, %x : f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i : index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.store %x, %A[%i, %c0] : memref<?x4xf64>
  %next = arith.addi %i, %c1 overflow<nsw> : index
  cf.br ^head(%next : index)
^end:
  func.return
}
