// RUN: polyopt-opt %s -p verify-dominance | filecheck %s

// Uses below, in dominated blocks and in nested regions are fine, and so are uses of values of
// other blocks where nothing is ever reached.

func.func @f(%c: i1, %n: index) -> index {
  %x = arith.constant 1 : index
  cf.cond_br %c, ^a, ^b(%x : index)
^a:
  %y = arith.addi %x, %n : index
  scf.for %i = %x to %n step %x {
    %z = arith.addi %y, %i : index
    "test.op"(%z) : (index) -> ()
  }
  cf.br ^b(%y : index)
^b(%r: index):
  func.return %r : index
^unreached:
  "test.op"(%late) : (index) -> ()
  cf.br ^neither
^neither:
  %late = arith.constant 2 : index
  cf.br ^unreached
}

// CHECK: "test.op"(%z)
// CHECK: "test.op"(%late)
