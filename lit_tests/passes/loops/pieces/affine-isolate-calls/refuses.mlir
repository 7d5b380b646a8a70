// Calls stay where they are if they go round themselves, if nothing goes round, if it is not known what
// goes round, or if a value does, and beside a call that may do anything.
// RUN: polyopt-opt %s -p affine-isolate-calls | filecheck %s
module attributes {polyopt.fastmath = #arith.fastmath<fast>} {
  // The call goes round itself.
  func.func @goes_round(%n: index, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 1 to %n {
      %p = affine.load %y[%i + -1] : memref<?xf64>
      %e = math.exp %p : f64
      affine.store %e, %y[%i] : memref<?xf64>
    }
    func.return
  }

// CHECK-LABEL: func.func @goes_round(
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NEXT:      %p = affine.load %y[%i + -1] : memref<?xf64>
// CHECK-NEXT:      %e = math.exp %p : f64
// CHECK-NEXT:      affine.store %e, %y[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

  // Nothing goes round: all may be lanes as it is.
  func.func @free(%n: index, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 1 to %n {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      affine.store %e, %y[%i] : memref<?xf64>
    }
    func.return
  }

// CHECK-LABEL: func.func @free(
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NEXT:      %a = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:      %e = math.exp %a : f64
// CHECK-NEXT:      affine.store %e, %y[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

  // What is loaded may be what was stored before.
  func.func @may_meet(%n: index, %x: memref<?xf64>, %y: memref<?xf64>) {
    affine.for %i = 1 to %n {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      %p = affine.load %y[%i + -1] : memref<?xf64>
      %s = arith.mulf %p, %e : f64
      affine.store %s, %y[%i] : memref<?xf64>
    }
    func.return
  }

// CHECK-LABEL: func.func @may_meet(
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NEXT:      %a = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:      %e = math.exp %a : f64
// CHECK-NEXT:      %p = affine.load %y[%i + -1] : memref<?xf64>
// CHECK-NEXT:      %s = arith.mulf %p, %e : f64
// CHECK-NEXT:      affine.store %s, %y[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

  // Any function may do anything.
  func.func private @any(f64) -> f64
  func.func @another_call(%n: index, %x: memref<?xf64> {llvm.noalias}, %y: memref<?xf64> {llvm.noalias}) {
    affine.for %i = 1 to %n {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      %b = func.call @any(%e) : (f64) -> f64
      %p = affine.load %y[%i + -1] : memref<?xf64>
      %s = arith.mulf %p, %b : f64
      affine.store %s, %y[%i] : memref<?xf64>
    }
    func.return
  }

// CHECK-LABEL: func.func @another_call(
// CHECK-NEXT:    affine.for %i = 1 to %n {
// CHECK-NEXT:      %a = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:      %e = math.exp %a : f64
// CHECK-NEXT:      %b = func.call @any(%e) : (f64) -> f64
// CHECK-NEXT:      %p = affine.load %y[%i + -1] : memref<?xf64>
// CHECK-NEXT:      %s = arith.mulf %p, %b : f64
// CHECK-NEXT:      affine.store %s, %y[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

  // What goes round is a value.
  func.func @carried(%n: index, %x: memref<?xf64>, %z: f64) -> f64 {
    %r = affine.for %i = 1 to %n iter_args(%p = %z) -> (f64) {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      %s = arith.mulf %p, %e : f64
      affine.yield %s : f64
    }
    func.return %r : f64
  }

// CHECK-LABEL: func.func @carried(
// CHECK-NEXT:    %r = affine.for %i = 1 to %n iter_args(%p = %z) -> (f64) {
// CHECK-NEXT:      %a = affine.load %x[%i] : memref<?xf64>
// CHECK-NEXT:      %e = math.exp %a : f64
// CHECK-NEXT:      %s = arith.mulf %p, %e : f64
// CHECK-NEXT:      affine.yield %s : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : f64
}
