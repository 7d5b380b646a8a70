// RUN: not polyopt-opt %s -p detect-scops 2>&1 | filecheck %s
// RUN: polyopt-opt --disable-verify %s | filecheck %s --check-prefix UNCHECKED

// Values that are defined by each other are refused before a pass follows them round and round.

// CHECK: error: {{.*}}operand 0 (%b) of arith.addi does not dominate its use
// UNCHECKED: arith.addi
func.func @circle(%n : i32) -> i32 {
  %a = arith.addi %b, %n : i32
  %b = arith.addi %a, %n : i32
  func.return %a : i32
}
