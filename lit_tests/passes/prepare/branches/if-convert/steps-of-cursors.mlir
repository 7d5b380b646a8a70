// The step of a parser's cursor stays a branch: as a selection the next load would wait for it.
// What moves by which of two numbers is smaller, or counts, is chosen.
// RUN: polyopt-opt %s -p clean-values,if-convert | filecheck %s

// CHECK-LABEL: func.func @step
// CHECK:         cf.cond_br
// CHECK-NOT:     arith.select
func.func @step(%text: memref<?xi8>, %at: index) -> index {
  %comma = arith.constant 44 : i8
  %one = arith.constant 1 : index
  %x = memref.load %text[%at] : memref<?xi8>
  %is_comma = arith.cmpi eq, %x, %comma : i8
  cf.cond_br %is_comma, ^over, ^on(%at : index)
^over:
  %next = arith.addi %at, %one : index
  cf.br ^on(%next : index)
^on(%p: index):
  func.return %p : index
}

// CHECK-LABEL: func.func @merge
// CHECK-NOT:     cf.cond_br
// CHECK:         arith.select
func.func @merge(%left: memref<?xi8>, %right: memref<?xi8>, %at: index, %to: index) -> index {
  %one = arith.constant 1 : index
  %x = memref.load %left[%at] : memref<?xi8>
  %y = memref.load %right[%to] : memref<?xi8>
  %is_less = arith.cmpi slt, %x, %y : i8
  cf.cond_br %is_less, ^over, ^on(%at : index)
^over:
  %next = arith.addi %at, %one : index
  cf.br ^on(%next : index)
^on(%p: index):
  func.return %p : index
}

// The element is not at what moves:
// CHECK-LABEL: func.func @count
// CHECK-NOT:     cf.cond_br
// CHECK:         arith.select
func.func @count(%text: memref<?xi8>, %at: index, %n: index) -> index {
  %comma = arith.constant 44 : i8
  %one = arith.constant 1 : index
  %x = memref.load %text[%at] : memref<?xi8>
  %is_comma = arith.cmpi eq, %x, %comma : i8
  cf.cond_br %is_comma, ^over, ^on(%n : index)
^over:
  %next = arith.addi %n, %one : index
  cf.br ^on(%next : index)
^on(%p: index):
  func.return %p : index
}
