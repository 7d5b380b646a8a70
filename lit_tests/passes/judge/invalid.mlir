// RUN: polyopt-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: expected a value for each parameter
func.func @one(%n: index) {
  %p = poly.pays "one" params(%n) {expected = array<i64: 1, 2>}
  func.return
}

// -----

// CHECK: expected the cycles of the core and those of memory
func.func @two(%n: index) {
  %p = poly.pays "two" params(%n) {expected = array<i64: 1>, source = array<f64: 1.0>}
  func.return
}
