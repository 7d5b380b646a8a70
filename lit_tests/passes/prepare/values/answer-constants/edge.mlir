// At the edges: a number is asked for; a function is called by one that a loop calls; the answer is
// a value, selects, or leads to a block that passes values.
// RUN: polyopt-opt %s -p 'answer-constants' | filecheck %s

// CHECK-LABEL: func.func @number
// CHECK:         %0 = arith.constant true
// CHECK-NEXT:    func.return %0 : i1
func.func @number() -> i1 {
  %one = arith.constant 1 : i32
  %0 = cmem.is_constant %one : i32
  func.return %0 : i1
}

// CHECK-LABEL: func.func private @inner
// CHECK-NEXT:    %0 = arith.constant false
// CHECK:         func.return %n : i32
func.func private @inner(%n : i32) -> i32 {
  %0 = cmem.is_constant %n : i32
  %two = arith.constant 2 : i32
  %1 = arith.select %0, %two, %n : i32
  func.return %1 : i32
}

func.func private @outer(%n : i32) -> i32 {
  %0 = func.call @inner(%n) : (i32) -> i32
  func.return %0 : i32
}

// CHECK-LABEL: func.func @loop
// CHECK-NOT:     cmem.is_constant
// CHECK:         func.call @outer(%n)
// CHECK-NOT:     cmem.is_constant
func.func @loop(%n : i32, %c : i1) -> i32 {
  cf.br ^loop
^loop:
  %two = arith.constant 2 : i32
  %0 = cmem.is_constant %n : i32
  cf.cond_br %0, ^join(%two : i32), ^join(%n : i32)
^join(%x : i32):
  %1 = func.call @outer(%x) : (i32) -> i32
  cf.cond_br %c, ^loop, ^exit
^exit:
  func.return %1 : i32
}
