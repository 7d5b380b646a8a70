// RUN: not polyopt-opt %s -o %t.out 2>&1 | filecheck %s
// RUN: test ! -e %t.out

// An operation that does not verify is one message with the operation, and no output file.

func.func @short(%a: i32) {
  %b = "arith.addi"(%a) : (i32) -> i32
  func.return
}

// CHECK:      polyopt-opt: error: Expected 2 operands, but got 1
// CHECK-NEXT: "arith.addi"(%a)
// CHECK-NOT:  Traceback
