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

// Where short runs cost more than the source's, a comparison decides, beside what is checked; where
// they are most of what runs, or nothing is won on the average, the code stays as it was written.

// CHECK-LABEL: func.func @long_runs
// CHECK-NEXT:    affine.apply
// CHECK-NEXT:    arith.constant 16 : index
// CHECK-NEXT:    %[[LONG:.*]] = arith.cmpi sge
// CHECK-NEXT:    cf.cond_br %[[LONG]]
// CHECK:         affine.for
// CHECK:         arith.constant 1 : i32
func.func @long_runs(%n: index, %A: memref<?xf64>, %x: f64) {
  %p = poly.pays "long_runs" params(%n) {expected = array<i64: 1000>, source = array<f64: 1.0e9, 0.0>, span = affine_map<(d0) -> (d0)>, shorter = array<i64: 4, 8, 16>, shorter_source = array<f64: 1.0, 0.0, 2.0, 0.0, 500.0, 0.0>}
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

// CHECK-LABEL: func.func @checked_long_runs
// CHECK:         %[[BOTH:.*]] = arith.andi %ok, %{{.*}} : i1
// CHECK-NEXT:    cf.cond_br %[[BOTH]]
func.func @checked_long_runs(%ok: i1, %n: index, %A: memref<?xf64>, %x: f64) {
  %p = poly.pays "checked_long_runs" params(%n) {expected = array<i64: 1000>, source = array<f64: 1.0e9, 0.0>, span = affine_map<(d0) -> (d0)>, shorter = array<i64: 4, 8>, shorter_source = array<f64: 1.0, 0.0, 2.0, 0.0>}
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

// CHECK-LABEL: func.func @short_runs
// CHECK-NOT:     affine.for
// CHECK:         func.return
func.func @short_runs(%n: index, %A: memref<?xf64>, %x: f64) {
  %p = poly.pays "short_runs" params(%n) {expected = array<i64: 1000>, source = array<f64: 1100.0, 0.0>, span = affine_map<(d0) -> (d0)>, shorter = array<i64: 4, 8>, shorter_source = array<f64: 20.0, 0.0, 20.0, 0.0>, shares = array<f64: 1000.0, 1000.0, 1.0>}
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

// Two arrays are not expected to be at one place, so that the loop would cost nothing.
// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT:     affine.for
// CHECK:         func.return
func.func @elsewhere(%a: !llvm.ptr, %b: !llvm.ptr, %n: index, %A: memref<?xf64>, %x: f64) {
  %at_a = cmem.ptr_to_int %a
  %at_b = cmem.ptr_to_int %b
  %k = arith.index_cast %at_a : i64 to index
  %l = arith.index_cast %at_b : i64 to index
  %differ = arith.cmpi ne, %k, %l : index
  %p = poly.pays "elsewhere" params(%k, %l, %n) {expected = array<i64: 1000, 1000, 1000>, source = array<f64: 50.0, 0.0>}
  cf.cond_br %p, ^scop, ^original
^scop:
  scf.if %differ {
    affine.for %i = 0 to %n {
      affine.store %x, %A[%i] : memref<?xf64>
    }
  }
  cf.br ^after
^original:
  %one = arith.constant 1 : i32
  cf.br ^after
^after:
  func.return
}

// What keeps the core busier than the source does has to gain where half of the lesser of both, the
// core's cycles and those for memory, goes by meanwhile.

// CHECK-LABEL: func.func @busier_for_little
// CHECK-NOT:     affine.for
// CHECK:         arith.constant 1 : i32
func.func @busier_for_little(%n: index, %A: memref<?xf64>, %x: f64) {
  %p = poly.pays "busier_for_little" params(%n) {expected = array<i64: 1000>, source = array<f64: 142.0, 62.0>}
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
// CHECK-LABEL: func.func @busier_for_much
// CHECK:         affine.for
// CHECK-NOT:     arith.constant 1
func.func @busier_for_much(%n: index, %A: memref<?xf64>, %x: f64) {
  %p = poly.pays "busier_for_much" params(%n) {expected = array<i64: 1000>, source = array<f64: 142.0, 100.0>}
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
