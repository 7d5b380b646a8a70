// RUN: polyopt-opt %s -p expand-powers | filecheck %s
// A power's own flags permit what the module does not, and go on to what it becomes; vectors stay; the
// greatest exponent is 32; what an integer is converted to is a number; and so is a kept function's.
// A power by an integer is products without any permission, in the order in which LLVM multiplies.

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

  // CHECK-LABEL: func.func @by_an_integer
  // CHECK:         [[two:%\S+]] = arith.mulf %x, %x : f32
  // CHECK-NEXT:    [[four:%\S+]] = arith.mulf [[two]], [[two]] : f32
  // CHECK-NEXT:    [[five:%\S+]] = arith.mulf %x, [[four]] : f32
  // CHECK-NEXT:    [[one:%\S+]] = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT:    %y = arith.divf [[one]], [[five]] : f32
  // CHECK-NEXT:    %z = math.fpowi %x, %i : f32, i32
  func.func @by_an_integer(%x: f32, %i: i32) -> (f32, f32) {
    %c = arith.constant -5 : i64
    %y = math.fpowi %x, %c : f32, i64
    %z = math.fpowi %x, %i : f32, i32
    func.return %y, %z : f32, f32
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
