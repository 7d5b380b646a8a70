// At the edges: the step is changed two loops further out, and a load in a loop that has others in it is none.
// RUN: polyopt-opt %s -p mark-changing-steps | filecheck %s

// CHECK-LABEL: @far_out
// CHECK:         %y = memref.load %A[%p] : memref<?xf64>
// CHECK:         %z = memref.load %A[%q] {cmem.hidden_step} : memref<?xf64>
// CHECK-NOT:     hidden_step
func.func @far_out(%A : memref<?xf64>, %n : index, %x : f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^steps(%c1 : index)
^steps(%st : index):
  %less = arith.cmpi slt, %st, %n : index
  cf.cond_br %less, ^rows_in, ^end
^rows_in:
  cf.br ^rows(%c0 : index)
^rows(%i : index):
  %more_rows = arith.cmpi slt, %i, %n : index
  cf.cond_br %more_rows, ^row, ^next_step
^row:
  %p = arith.muli %i, %st overflow<nsw> : index
  %y = memref.load %A[%p] : memref<?xf64>
  cf.br ^head(%c0, %y : index, f64)
^head(%j : index, %s : f64):
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^body, ^next_row
^body:
  %q = arith.muli %j, %st overflow<nsw> : index
  %z = memref.load %A[%q] : memref<?xf64>
  %t = arith.addf %s, %z : f64
  %j_1 = arith.addi %j, %c1 overflow<nsw> : index
  cf.br ^head(%j_1, %t : index, f64)
^next_row:
  %i_1 = arith.addi %i, %c1 overflow<nsw> : index
  cf.br ^rows(%i_1 : index)
^next_step:
  %st_1 = arith.muli %st, %n : index
  cf.br ^steps(%st_1 : index)
^end:
  func.return
}
