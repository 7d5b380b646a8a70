// RUN: polyopt-opt %s -p expand-powers | filecheck %s
// A division by a power of two is a product with its reciprocal, which is exact; by another number it
// is one where reciprocals are allowed. What is no number, or whose reciprocal is not normal, stays.

builtin.module {
  // CHECK-LABEL: func.func @exact
  // CHECK:         %[[A:.*]] = arith.constant 1.250000e-01 : f64
  // CHECK-NEXT:    arith.mulf %x, %[[A]] : f64
  // CHECK:         %[[B:.*]] = arith.constant -4.000000e+00 : f64
  // CHECK-NEXT:    arith.mulf %x, %[[B]] : f64
  // CHECK:         %[[C:.*]] = arith.constant 2.500000e-01 : f64
  // CHECK-NEXT:    arith.mulf %x, %[[C]] : f64
  // CHECK-NOT:     arith.divf
  // CHECK:         func.return
  func.func @exact(%x: f64) -> (f64, f64, f64) {
    %eight = arith.constant 8.0 : f64
    %less = arith.constant -0.25 : f64
    %i = arith.constant 4 : i32
    %four = arith.sitofp %i : i32 to f64
    %a = arith.divf %x, %eight : f64
    %b = arith.divf %x, %less : f64
    %c = arith.divf %x, %four : f64
    func.return %a, %b, %c : f64, f64, f64
  }

  // CHECK-LABEL: func.func @allowed
  // CHECK:         arith.divf %x, %ten : f64
  // CHECK:         %[[A:.*]] = arith.constant 1.000000e-01 : f64
  // CHECK-NEXT:    arith.mulf %x, %[[A]] fastmath<arcp> : f64
  // CHECK-NOT:     arith.divf
  func.func @allowed(%x: f64) -> (f64, f64) {
    %ten = arith.constant 10.0 : f64
    %a = arith.divf %x, %ten : f64
    %b = arith.divf %x, %ten fastmath<arcp> : f64
    func.return %a, %b : f64, f64
  }

  // CHECK-LABEL: func.func @stays
  // CHECK-COUNT-5: arith.divf
  func.func @stays(%x: f32, %y: f32, %v: vector<4xf32>) -> (f32, f32, f32, f32, vector<4xf32>) {
    %zero = arith.constant 0.0 : f32
    %huge = arith.constant 1.7014118346046923e+38 : f32
    %tiny = arith.constant 5.877471754111438e-39 : f32
    %two = arith.constant dense<2.0> : vector<4xf32>
    %a = arith.divf %x, %zero : f32
    %b = arith.divf %x, %huge : f32
    %c = arith.divf %x, %tiny : f32
    %d = arith.divf %x, %y fastmath<fast> : f32
    %e = arith.divf %v, %two fastmath<fast> : vector<4xf32>
    func.return %a, %b, %c, %d, %e : f32, f32, f32, f32, vector<4xf32>
  }
}
