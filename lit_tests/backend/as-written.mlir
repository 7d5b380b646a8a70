// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// What the module permits is not done in a function that is to run as it is written, but for fusing;
// and it stays a function of its own.

builtin.module attributes {polyopt.fastmath = #arith.fastmath<fast>} {
  // CHECK-LABEL: define dso_local double @free(
  // CHECK:         fadd fast double
  func.func @free(%a: f64, %b: f64) -> f64 {
    %c = arith.addf %a, %b : f64
    func.return %c : f64
  }
  // CHECK-LABEL: define internal double @written(
  // CHECK-SAME:    [[WRITTEN:#\d+]] noinline {
  // CHECK:         fadd contract double
  // CHECK:         call contract double @llvm.sqrt
  func.func private @written(%a: f64, %b: f64) -> f64 attributes {cmem.as_written} {
    %c = arith.addf %a, %b : f64
    %d = math.sqrt %c : f64
    func.return %d : f64
  }
  // CHECK-LABEL: define dso_local double @behind(
  // CHECK:         fmul fast double
  func.func @behind(%a: f64) -> f64 {
    %b = func.call @written(%a, %a) : (f64, f64) -> f64
    %c = arith.mulf %b, %b : f64
    func.return %c : f64
  }
}

// CHECK:     attributes [[WRITTEN]] = {
// CHECK-NOT: fp-math
