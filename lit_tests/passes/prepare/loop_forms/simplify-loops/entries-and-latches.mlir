// RUN: polyopt-opt %s -p simplify-loops | filecheck %s

// A loop that is entered by two edges and has two latches (a `continue`) gets a block in front and
// one that the iterations end in; a block that nothing reaches goes.

func.func @f(%c: i1, %n: i32, %a: i32, %b: i32) {
  %one = arith.constant 1 : i32
  cf.cond_br %c, ^header(%a : i32), ^other
^other:
  cf.br ^header(%b : i32)
^header(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %i1 = arith.addi %i, %one overflow<nsw> : i32
  %skip = arith.cmpi eq, %i, %a : i32
  cf.cond_br %skip, ^header(%i1 : i32), ^rest
^rest:
  cf.br ^header(%i1 : i32)
^exit:
  func.return
^unreachable:
  cf.br ^unreachable
}

// CHECK-LABEL: func.func @f
// CHECK:         cf.cond_br %c, ^[[BEFORE:.*]](%a : i32), ^[[OTHER:.*]]
// CHECK-NEXT:  ^[[OTHER]]:
// CHECK-NEXT:    cf.br ^[[BEFORE]](%b : i32)
// CHECK-NEXT:  ^[[BEFORE]](%[[START:.*]]: i32):
// CHECK-NEXT:    cf.br ^[[HEADER:.*]](%[[START]] : i32)
// CHECK-NEXT:  ^[[LATCH:.*]](%[[NEXT:.*]]: i32):
// CHECK-NEXT:    cf.br ^[[HEADER]](%[[NEXT]] : i32)
// CHECK-NEXT:  ^[[HEADER]](%{{.*}}: i32):
// CHECK:         cf.cond_br %{{.*}}, ^[[LATCH]](%{{.*}} : i32), ^[[REST:.*]]
// CHECK-NEXT:  ^[[REST]]:
// CHECK-NEXT:    cf.br ^[[LATCH]](%{{.*}} : i32)
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
