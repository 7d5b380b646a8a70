// At the edges: one return, none, and two without a loop before them.
// RUN: polyopt-opt %s -p 'merge-returns' | filecheck %s

func.func @one(%n : i32) -> i32 {
  func.return %n : i32
}

// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    func.return %n : i32

func.func @none(%n : i32) {
  cf.br ^head
^head:
  cf.br ^head
}

// CHECK-LABEL: func.func @none(
// CHECK-NEXT:    cf.br ^head
// CHECK-NEXT:  ^head:
// CHECK-NEXT:    cf.br ^head

// No nest leads to these: they stay two.
func.func @no_loop(%c : i1, %a : i32, %b : i32) -> i32 {
  cf.cond_br %c, ^then, ^else
^then:
  func.return %a : i32
^else:
  func.return %b : i32
}

// CHECK-LABEL: func.func @no_loop(
// CHECK-NEXT:    cf.cond_br %c, ^then, ^else
// CHECK-NEXT:  ^then:
// CHECK-NEXT:    func.return %a : i32
// CHECK-NEXT:  ^else:
// CHECK-NEXT:    func.return %b : i32
