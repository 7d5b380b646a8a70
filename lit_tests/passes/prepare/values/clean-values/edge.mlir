// At the edges: a value of a loop that is computed again behind it, sums that differ in what is
// promised of them, a division that nobody uses, a counter that only counts.
// RUN: polyopt-opt %s -p 'clean-values' | filecheck %s

// Behind the loop its first value is known.
func.func @loop(%x : i32, %n : i32) -> i32 {
  cf.br ^head(%n : i32)
^head(%i : i32):
  %a = arith.muli %x, %x : i32
  %b = arith.subi %i, %a : i32
  %c = arith.cmpi sgt, %b, %x : i32
  cf.cond_br %c, ^head(%b : i32), ^exit
^exit:
  %d = arith.muli %x, %x : i32
  %e = arith.addi %d, %b : i32
  func.return %e : i32
}

// CHECK-LABEL: func.func @loop(
// CHECK-NEXT:    cf.br ^head(%n : i32)
// CHECK-NEXT:  ^head(%i: i32):
// CHECK-NEXT:    %a = arith.muli %x, %x : i32
// CHECK-NEXT:    %b = arith.subi %i, %a : i32
// CHECK-NEXT:    %c = arith.cmpi sgt, %b, %x : i32
// CHECK-NEXT:    cf.cond_br %c, ^head(%b : i32), ^exit
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    %e = arith.addi %a, %b : i32
// CHECK-NEXT:    func.return %e : i32

// The first sum may be poison where the second is not: they are not one.
func.func @flags(%x : i32) -> i32 {
  %a = arith.addi %x, %x overflow<nsw> : i32
  %b = arith.addi %x, %x : i32
  %c = arith.xori %a, %b : i32
  func.return %c : i32
}

// CHECK-LABEL: func.func @flags(
// CHECK-NEXT:    %a = arith.addi %x, %x overflow<nsw> : i32
// CHECK-NEXT:    %b = arith.addi %x, %x : i32
// CHECK-NEXT:    %c = arith.xori %a, %b : i32
// CHECK-NEXT:    func.return %c : i32

// Nobody sees whether it would have divided by zero.
func.func @traps(%x : i32, %y : i32) {
  %a = arith.divsi %x, %y : i32
  func.return
}

// CHECK-LABEL: func.func @traps(
// CHECK-NEXT:    func.return

// Each addition is used, by the next one.
func.func @dead_cycle(%n : i32, %c : i1) {
  %one = arith.constant 1 : i32
  cf.br ^head(%n : i32)
^head(%i : i32):
  %j = arith.addi %i, %one : i32
  cf.cond_br %c, ^head(%j : i32), ^exit
^exit:
  func.return
}

// CHECK-LABEL: func.func @dead_cycle(
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^head(%n : i32)
// CHECK-NEXT:  ^head(%i: i32):
// CHECK-NEXT:    %j = arith.addi %i, %one : i32
// CHECK-NEXT:    cf.cond_br %c, ^head(%j : i32), ^exit
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return
