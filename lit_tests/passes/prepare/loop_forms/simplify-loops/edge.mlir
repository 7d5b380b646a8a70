// At the edges: a block that is its own loop, with and without an end, two ways out of one loop,
// and both edges of a branch back to the header.
// RUN: polyopt-opt %s -p 'simplify-loops' | filecheck %s

func.func @itself(%c : i1) {
  cf.br ^head
^head:
  cf.cond_br %c, ^head, ^exit
^exit:
  func.return
}

// CHECK-LABEL: func.func @itself(
// CHECK-NEXT:    cf.br ^head
// CHECK-NEXT:  ^head:
// CHECK-NEXT:    cf.cond_br %c, ^head, ^exit
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return

func.func @endless() {
  cf.br ^head
^head:
  cf.br ^head
}

// CHECK-LABEL: func.func @endless(
// CHECK-NEXT:    cf.br ^head
// CHECK-NEXT:  ^head:
// CHECK-NEXT:    cf.br ^head

func.func @two_exits(%c : i1, %d : i1) {
  cf.br ^head
^head:
  cf.cond_br %c, ^body, ^exit
^body:
  cf.cond_br %d, ^head, ^exit
^exit:
  func.return
}

// CHECK-LABEL: func.func @two_exits(
// CHECK-NEXT:    cf.br ^head
// CHECK-NEXT:  ^head:
// CHECK-NEXT:    cf.cond_br %c, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK-NEXT:    cf.cond_br %d, ^head, ^exit
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    func.return

// One block in which iterations end, which brings both values.
func.func @both_edges(%c : i1, %a : i32, %b : i32) {
  cf.br ^head(%a : i32)
^head(%i : i32):
  cf.cond_br %c, ^head(%a : i32), ^head(%b : i32)
}

// CHECK-LABEL: func.func @both_edges(
// CHECK-NEXT:    cf.br ^head(%a : i32)
// CHECK-NEXT:  ^bb1(%i: i32):
// CHECK-NEXT:    cf.br ^head(%i : i32)
// CHECK-NEXT:  ^head(%i_1: i32):
// CHECK-NEXT:    cf.cond_br %c, ^bb1(%a : i32), ^bb1(%b : i32)
