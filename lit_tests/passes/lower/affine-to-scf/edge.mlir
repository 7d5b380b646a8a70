// At the edges: bounds that are equal, a step, a conditional without an else, one whose set is never
// met, remainders and quotients of negative numbers, an iterator that nothing uses.
// RUN: polyopt-opt %s -p 'affine-to-scf' | filecheck %s

// It stays a loop; that it runs never is for others to see.
func.func @empty(%A : memref<?xf64>, %x : f64) {
  affine.for %i = 3 to 3 {
    affine.store %x, %A[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    %c3 = arith.constant 3 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %i = %c3 to %c3 step %c1 {
// CHECK-NEXT:      memref.store %x, %A[%i] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// Values are carried and leave; the iterator is not used.
func.func @carried(%n : index, %x : f64) -> f64 {
  %r = affine.for %i = 0 to %n step 2 iter_args(%s = %x) -> (f64) {
    %t = arith.addf %s, %s : f64
    affine.yield %t : f64
  }
  func.return %r : f64
}

// CHECK-LABEL: func.func @carried(
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c2 = arith.constant 2 : index
// CHECK-NEXT:    %r = scf.for %i = %c0 to %n step %c2 iter_args(%s = %x) -> (f64) {
// CHECK-NEXT:      %t = arith.addf %s, %s : f64
// CHECK-NEXT:      scf.yield %t : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : f64

// Equal to, and at least: two constraints are one condition.
func.func @never(%n : index, %A : memref<?xf64>, %x : f64) {
  "affine.if"(%n) ({
    affine.store %x, %A[0] : memref<?xf64>
    affine.yield
  }, {}) {condition = affine_set<(d0) : (d0 == 0, d0 - 1 >= 0)>} : (index) -> ()
  func.return
}

// CHECK-LABEL: func.func @never(
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    [[V0:%\d+]] = arith.cmpi eq, %n, %c0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    [[V1:%\d+]] = arith.cmpi sge, %n, %c1 : index
// CHECK-NEXT:    [[V2:%\d+]] = arith.andi [[V0]], [[V1]] : i1
// CHECK-NEXT:    scf.if [[V2]] {
// CHECK-NEXT:      memref.store %x, %A[%c0] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// A quotient of what may be negative is rounded down, not towards zero.
func.func @down(%n : index, %A : memref<?xf64>, %x : f64) {
  affine.store %x, %A[%n floordiv 4] : memref<?xf64>
  func.return
}

// CHECK-LABEL: func.func @down(
// CHECK-NEXT:    %c2 = arith.constant 2 : index
// CHECK-NEXT:    [[V0:%\d+]] = arith.shrsi %n, %c2 : index
// CHECK-NEXT:    memref.store %x, %A[[[V0]]] : memref<?xf64>
// CHECK-NEXT:    func.return

// A remainder of what may be negative is at least zero.
func.func @rest(%n : index, %A : memref<?xf64>, %x : f64) {
  affine.store %x, %A[%n mod 4] : memref<?xf64>
  func.return
}

// CHECK-LABEL: func.func @rest(
// CHECK-NEXT:    %c3 = arith.constant 3 : index
// CHECK-NEXT:    [[V0:%\d+]] = arith.andi %n, %c3 : index
// CHECK-NEXT:    memref.store %x, %A[[[V0]]] : memref<?xf64>
// CHECK-NEXT:    func.return
