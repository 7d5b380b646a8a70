// RUN: polyopt-opt %s -p cse | filecheck %s

// polyopt-opt knows the passes of xDSL.

func.func @twice(%a: i32) -> i32 {
  %x = arith.addi %a, %a : i32
  %y = arith.addi %a, %a : i32
  %z = arith.muli %x, %y : i32
  func.return %z : i32
}

// CHECK:      %x = arith.addi %a, %a : i32
// CHECK-NEXT: %z = arith.muli %x, %x : i32
