// Outside of loops, in functions that no loop calls by its name, the question is left to LLVM.
// RUN: polyopt-opt %s -p 'answer-constants' | filecheck %s

// CHECK-LABEL: func.func @alone
// CHECK-NEXT:    %0 = cmem.is_constant %n : i32
// CHECK-NEXT:    func.return %0 : i1
func.func @alone(%n : i32) -> i1 {
  %0 = cmem.is_constant %n : i32
  func.return %0 : i1
}

// In front of the loop and behind it.
// CHECK-LABEL: func.func @around
// CHECK-NEXT:    %0 = cmem.is_constant %x : f64
// CHECK:         %1 = cmem.is_constant %p : !llvm.ptr
func.func @around(%x : f64, %p : !llvm.ptr, %c : i1) -> (i1, i1) {
  %0 = cmem.is_constant %x : f64
  cf.br ^loop
^loop:
  cf.cond_br %c, ^loop, ^exit
^exit:
  %1 = cmem.is_constant %p : !llvm.ptr
  func.return %0, %1 : i1, i1
}

// A call in front of a loop.
// CHECK-LABEL: func.func @caller
// CHECK-NEXT:    %0 = func.call @alone(%n) : (i32) -> i1
func.func @caller(%n : i32, %c : i1) -> i1 {
  %0 = func.call @alone(%n) : (i32) -> i1
  cf.br ^loop
^loop:
  cf.cond_br %c, ^loop, ^exit
^exit:
  func.return %0 : i1
}
