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

// -----

// CHECK: expected a span, shorter ones, and their cycles together
func.func @three(%n: index) {
  %p = poly.pays "three" params(%n) {shorter = array<i64: 1>}
  func.return
}

// -----

// CHECK: expected the span to be one result of the parameters
func.func @four(%n: index) {
  %p = poly.pays "four" params(%n) {span = affine_map<() -> (7)>, shorter = array<i64: 1>, shorter_source = array<f64: 1.0, 0.0>}
  func.return
}

// -----

// CHECK: expected two numbers of cycles for each set of parameters
func.func @five(%n: index) {
  %p = poly.pays "five" params(%n) {span = affine_map<(d0) -> (d0)>, shorter = array<i64: 1, 2>, shorter_source = array<f64: 1.0, 0.0>}
  func.return
}

// -----

// CHECK: expected a share of each set of parameters, and of the expected
func.func @six(%n: index) {
  %p = poly.pays "six" params(%n) {span = affine_map<(d0) -> (d0)>, shorter = array<i64: 1>, shorter_source = array<f64: 1.0, 0.0>, shares = array<f64: 1.0>}
  func.return
}
