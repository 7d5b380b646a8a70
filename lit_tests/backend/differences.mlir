// A difference with a number is written as a sum: a counter that goes down is then a counter like others
// to the passes of LLVM that see it first. What a difference promises of unsigned numbers goes.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// CHECK-LABEL: @differences
// CHECK: add nsw i32 %a, -1
// CHECK: add i64 %b, 5
// CHECK: add nsw i32 %a, -7
func.func @differences(%a : i32, %b : i64, %p : memref<4xi64>) {
  %one = arith.constant 1 : i32
  %down = arith.subi %a, %one overflow<nsw> : i32
  %minus = arith.constant -5 : i64
  %up = arith.subi %b, %minus : i64
  %seven = arith.constant 7 : i32
  %unsigned = arith.subi %a, %seven overflow<nsw, nuw> : i32

// The least number has no negative, and what is taken from may be a number.
// CHECK: sub nsw i32 %a, -2147483648
// CHECK: sub i32 1, %a
// CHECK: sub i32 %a, %a
  %least = arith.constant -2147483648 : i32
  %far = arith.subi %a, %least overflow<nsw> : i32
  %rest = arith.subi %one, %a : i32
  %nothing = arith.subi %a, %a : i32
  func.return
}
