// RUN: polyopt-opt %s -p keep-as-written | filecheck %s

// A copy of each function with a loop stands in a module of its own, with a declaration of what it
// calls; what has no loop, and a declaration, is not kept. Where nothing is kept there is no module.

func.func private @sink(i32) -> ()

func.func @loop(%n: i32) {
  func.call @sink(%n) : (i32) -> ()
  cf.br ^head
^head:
  cf.br ^head
}

func.func @straight(%n: i32) {
  cf.br ^next
^next:
  func.call @sink(%n) : (i32) -> ()
  func.return
}

// CHECK:       func.func private @sink
// CHECK:       func.func @loop
// CHECK:       func.func @straight
// CHECK:       builtin.module attributes {poly.as_written} {
// CHECK-NEXT:    func.func @loop
// CHECK-NOT:     func.func @straight
// CHECK:         func.func private @sink
// CHECK-NOT:     func.func
