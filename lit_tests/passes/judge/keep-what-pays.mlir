// RUN: polyopt-opt %s -p keep-what-pays | filecheck %s

// Loops stay where less is expected of them than of the code that they were made from, else that
// code does; where something is checked besides, only the check is left. What was kept goes.

// CHECK-LABEL: func.func @better
// CHECK-NOT:     poly.pays
// CHECK:         affine.for
// CHECK-NOT:     cf.br ^{{.*}}original
// CHECK:         func.return
func.func @better(%n: index, %A: memref<?xf64>, %x: f64) {
  %p = poly.pays "better" params(%n) {expected = array<i64: 1000>, source = array<f64: 1.0e9, 0.0>}
  cf.cond_br %p, ^scop, ^original
^scop:
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<?xf64>
  }
  cf.br ^after
^original:
  %one = arith.constant 1 : i32
  cf.br ^after
^after:
  func.return
}

// CHECK-LABEL: func.func @worse
// CHECK-NOT:     affine.for
// CHECK:         arith.constant 1 : i32
// CHECK:         func.return
func.func @worse(%n: index, %A: memref<?xf64>, %x: f64) {
  %p = poly.pays "worse" params(%n) {expected = array<i64: 1000>, source = array<f64: 50.0, 0.0>}
  cf.cond_br %p, ^scop, ^original
^scop:
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<?xf64>
  }
  cf.br ^after
^original:
  %one = arith.constant 1 : i32
  cf.br ^after
^after:
  func.return
}

// CHECK-LABEL: func.func @checked
// CHECK-NEXT:    cf.cond_br %ok
// CHECK:         affine.for
// CHECK:         arith.constant 1 : i32
func.func @checked(%ok: i1, %n: index, %A: memref<?xf64>, %x: f64) {
  %p = poly.pays "checked" params(%n) {expected = array<i64: 1000>, source = array<f64: 1.0e9, 0.0>}
  %both = arith.andi %ok, %p : i1
  cf.cond_br %both, ^scop, ^original
^scop:
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<?xf64>
  }
  cf.br ^after
^original:
  %one = arith.constant 1 : i32
  cf.br ^after
^after:
  func.return
}

// What is kept of a function takes its place where none of its loops stay.

// CHECK-LABEL: func.func @given_back
// CHECK-NEXT:    arith.constant 7 : i32
// CHECK-NEXT:    func.return
// CHECK-NOT:   builtin.module
func.func @given_back(%n: index, %A: memref<?xf64>, %x: f64) {
  %p = poly.pays "given_back" params(%n) {expected = array<i64: 1000>, source = array<f64: 50.0, 0.0>}
  cf.cond_br %p, ^scop, ^after
^scop:
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<?xf64>
  }
  cf.br ^after
^after:
  func.return
}
builtin.module attributes {poly.as_written} {
  func.func @given_back(%n: index, %A: memref<?xf64>, %x: f64) {
    %seven = arith.constant 7 : i32
    func.return
  }
}
