// RUN: polyopt-opt %s -p verify-dominance --split-input-file --verify-diagnostics | filecheck %s

// A use before the definition, in one block.

func.func @order() {
  "test.op"(%x) : (index) -> ()
  %x = arith.constant 1 : index
  func.return
}

// CHECK: operand 0 (%x) of test.op does not dominate its use

// -----

// A definition on one of two paths to the use.

func.func @join(%c: i1) -> index {
  cf.cond_br %c, ^a, ^b
^a:
  %y = arith.constant 1 : index
  cf.br ^b
^b:
  func.return %y : index
}

// CHECK: operand 0 (%y) of func.return does not dominate its use
