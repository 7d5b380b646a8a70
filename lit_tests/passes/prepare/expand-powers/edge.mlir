// RUN: polyopt-opt %s -p expand-powers | filecheck %s
// A power's own flags permit what the module does not, and go on to what it becomes; vectors stay; the
// greatest exponent is 32; what an integer is converted to is a number; and so is a kept function's.

builtin.module {
  // CHECK-LABEL: func.func @own
  // CHECK:         %y = arith.mulf %x, %x fastmath<fast> : f64
  // CHECK-NEXT:    %z = math.powf %x, %two : f64
  func.func @own(%x: f64) -> (f64, f64) {
    %two = arith.constant 2.0 : f64
    %y = math.powf %x, %two fastmath<fast> : f64
    %z = math.powf %x, %two : f64
    func.return %y, %z : f64, f64
  }

  // CHECK-LABEL: func.func @greatest
  // CHECK-COUNT-5: arith.mulf
  // CHECK-NOT:     arith.mulf
  // CHECK:         math.powf
  func.func @greatest(%x: f32) -> (f32, f32) {
    %c32 = arith.constant 32.0 : f32
    %c33 = arith.constant 33.0 : f32
    %y = math.powf %x, %c32 fastmath<fast> : f32
    %z = math.powf %x, %c33 fastmath<fast> : f32
    func.return %y, %z : f32, f32
  }

  // CHECK-LABEL: func.func @converted
  // CHECK:         arith.mulf %x, %x
  // CHECK-NOT:     math.powf
  func.func @converted(%x: f64) -> f64 {
    %i = arith.constant 2 : i32
    %e = arith.sitofp %i : i32 to f64
    %y = math.powf %x, %e fastmath<fast> : f64
    func.return %y : f64
  }

  // CHECK-LABEL: func.func @lanes
  // CHECK:         math.powf
  func.func @lanes(%x: vector<4xf64>) -> vector<4xf64> {
    %two = arith.constant dense<2.0> : vector<4xf64>
    %y = math.powf %x, %two fastmath<fast> : vector<4xf64>
    func.return %y : vector<4xf64>
  }

  builtin.module @kept {
    // CHECK-LABEL: func.func @inside
    // CHECK-NOT:     math.powf
    // CHECK:         func.return
    func.func @inside(%x: f64) -> f64 {
      %two = arith.constant 2.0 : f64
      %y = math.powf %x, %two fastmath<fast> : f64
      func.return %y : f64
    }
  }
}
