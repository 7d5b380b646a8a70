// RUN: not polyopt-opt %s 2>&1 | filecheck %s

// A syntax error is told as compilers do: place, text, the line, a caret.

func.func @open(%a: i32) {
  %b = arith.addi %a, : i32

// CHECK:      {{.*}}syntax-error.mlir:6:23: error:
// CHECK-NEXT:   %b = arith.addi %a, : i32
// CHECK-NEXT:                       ^
// CHECK-NOT: Traceback
