// A weak definition may give way to another file's: its calls stay.
// RUN: polyopt-opt %s -p inline-calls | filecheck %s

func.func @soft(%a: i32) -> i32 attributes {cmem.linker = {weak = ""}} {
  %b = arith.addi %a, %a : i32
  func.return %b : i32
}
func.func @firm(%a: i32) -> i32 {
  %b = arith.muli %a, %a : i32
  func.return %b : i32
}
// CHECK-LABEL: @use
func.func @use(%a: i32) -> i32 {
  // CHECK: func.call @soft
  %b = func.call @soft(%a) : (i32) -> i32
  // CHECK-NEXT: arith.muli
  %c = func.call @firm(%b) : (i32) -> i32
  func.return %c : i32
}
