// RUN: polyopt-opt %s -p cancel-terms | filecheck %s
// By the operations' own flags; one that has none in between is a term itself; a negative is left; what
// is stored where it has been loaded from is not stored.

builtin.module {
  // CHECK-LABEL: func.func @own
  // CHECK-NEXT:    %sum = arith.addf %x, %y fastmath<fast> : f64
  // CHECK-NEXT:    [[N:%.*]] = arith.negf %y : f64
  // CHECK-NEXT:    func.return [[N]], %sum
  func.func @own(%x: f64, %y: f64) -> (f64, f64) {
    %sum = arith.addf %x, %y fastmath<fast> : f64
    %left = arith.subf %x, %sum fastmath<fast> : f64
    func.return %left, %sum : f64, f64
  }

  // CHECK-LABEL: func.func @between
  // CHECK-COUNT-2: arith.subf
  func.func @between(%x: f64, %y: f64) -> f64 {
    %sum = arith.addf %x, %y : f64
    %one = arith.subf %x, %sum fastmath<fast> : f64
    %left = arith.subf %one, %y fastmath<fast> : f64
    func.return %left : f64
  }

  // CHECK-LABEL: func.func @stored_again
  // CHECK-NEXT:    func.return
  func.func @stored_again(%A: memref<f64>, %x: f64) {
    %c = memref.load %A[] : memref<f64>
    %zero = arith.subf %x, %x fastmath<fast> : f64
    %new = arith.addf %c, %zero fastmath<fast> : f64
    memref.store %new, %A[] : memref<f64>
    func.return
  }
}
