// At the edges: a condition that holds up to the very last iteration, one that fails in it, and
// one on a sum that may wrap.
// RUN: polyopt-opt %s -p 'drop-conditions' | filecheck %s

func.func private @never() -> ()

// i + 1 is at most n where i is below n.
func.func @last(%n : i32, %A : memref<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i : i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %one overflow<nsw> : i32
  %c = arith.cmpi sle, %next, %n : i32
  cf.cond_br %c, ^latch, ^never
^never:
  func.call @never() : () -> ()
  cf.br ^latch
^latch:
  cf.br ^head(%next : i32)
^exit:
  func.return
}

// CHECK-LABEL: @last(
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^head(%zero : i32)
// CHECK-NEXT:  ^head(%i: i32):
// CHECK-NEXT:    %more = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %more, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    %next = arith.addi %i, %one overflow<nsw> : i32
// CHECK-NEXT:    %c = arith.cmpi sle, %next, %n : i32
// CHECK-NEXT:    cf.br ^head(%next : i32)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return

// The last iteration gets there.
func.func @at_the_end(%n : i32, %A : memref<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i : i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %one overflow<nsw> : i32
  %c = arith.cmpi slt, %next, %n : i32
  cf.cond_br %c, ^latch, ^once
^once:
  func.call @never() : () -> ()
  cf.br ^latch
^latch:
  cf.br ^head(%next : i32)
^exit:
  func.return
}

// CHECK-LABEL: @at_the_end(
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^head(%zero : i32)
// CHECK-NEXT:  ^head(%i: i32):
// CHECK-NEXT:    %more = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %more, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    %next = arith.addi %i, %one overflow<nsw> : i32
// CHECK-NEXT:    %c = arith.cmpi slt, %next, %n : i32
// CHECK-NEXT:    cf.cond_br %c, ^latch, ^once
// CHECK-NEXT:  ^once:
// CHECK-NEXT:    func.call @never() : () -> ()
// CHECK-NEXT:    cf.br ^latch
// CHECK-NEXT:  ^latch:
// CHECK-NEXT:    cf.br ^head(%next : i32)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return

// A sum without a promise may wrap.
func.func @wraps(%n : i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i : i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %n : i32
  %c = arith.cmpi sgt, %next, %i : i32
  cf.cond_br %c, ^latch, ^may
^may:
  func.call @never() : () -> ()
  cf.br ^latch
^latch:
  cf.br ^head(%next : i32)
^exit:
  func.return
}

// CHECK-LABEL: @wraps(
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    cf.br ^head(%zero : i32)
// CHECK-NEXT:  ^head(%i: i32):
// CHECK-NEXT:    %more = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:    cf.cond_br %more, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    %next = arith.addi %i, %n : i32
// CHECK-NEXT:    %c = arith.cmpi sgt, %next, %i : i32
// CHECK-NEXT:    cf.cond_br %c, ^latch, ^may
// CHECK-NEXT:  ^may:
// CHECK-NEXT:    func.call @never() : () -> ()
// CHECK-NEXT:    cf.br ^latch
// CHECK-NEXT:  ^latch:
// CHECK-NEXT:    cf.br ^head(%next : i32)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return
