// What nobody knows, what contradicts itself and what stands where it cannot be is refused.
// RUN: polyopt-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f() {
  affine.for %i = 0 to 4 {
  } {poly.loop = #poly.loop<unrol>}
  func.return
}

// CHECK: unknown fact 'unrol' on a loop: did you mean 'unroll'?

// -----

func.func @f() {
  affine.for %i = 0 to 4 {
  } {poly.loop = #poly.loop<parallel, reduces = ["s"]>}
  func.return
}

// CHECK: what a loop carries is said twice

// -----

func.func @f() {
  affine.for %i = 0 to 4 {
  } {poly.loop = #poly.loop<serial, parallel>}
  func.return
}

// CHECK: what a loop carries is said twice

// -----

func.func @f() {
  affine.for %i = 0 to 4 {
  } {poly.loop = #poly.loop<reduces = []>}
  func.return
}

// CHECK: expected one or more names of arrays, each once

// -----

func.func @f() {
  affine.for %i = 0 to 4 {
  } {poly.loop = #poly.loop<jam, jam>}
  func.return
}

// CHECK: the mark 'jam' is there twice

// -----

func.func @f(%a : f64) {
  %b = arith.addf %a, %a {poly.rounding = #poly.rounding<up>} : f64
  func.return
}

// CHECK: expected in_order and unfused, each at most once

// -----

// A fact is there or is not: there is no `= false`.
func.func @f(%n : index, %A : memref<?xf64>) {
  affine.for %i = 1 to %n {
    %x = affine.load %A[%i - 1] : memref<?xf64>
    affine.store %x, %A[%i] : memref<?xf64>
  } {poly.loop = false}
  func.return
}

// CHECK: poly.loop = false on affine.for: expected poly.loop = #poly.loop<…>

// -----

func.func @f() {
  affine.for %i = 0 to 4 {
  } {poly.lop = #poly.loop<parallel>}
  func.return
}

// CHECK: unknown fact poly.lop on affine.for: known are poly.loop

// -----

func.func @f(%a : f64) {
  %b = arith.addf %a, %a {poly.loop = #poly.loop<parallel>} : f64
  func.return
}

// CHECK: poly.loop says something of a loop, not of arith.addf

// -----

func.func @f() {
  affine.for %i = 0 to 4 {
  } {poly.loop = #poly.loop<nontemporal = [0]>}
  func.return
}

// CHECK: poly.loop: there is no store 0 right in the body

// -----

func.func @f() {
  affine.for %i = 0 to 4 {
  } {poly.loop = #poly.loop<at_most = 0>}
  func.return
}

// CHECK: expected a number of steps, 1 or more

// -----

func.func @f() {
  affine.for %i = 0 to 4 {
  } {poly.loop = #poly.loop<at_most = 2, at_most = 2>}
  func.return
}

// CHECK: the number of steps is said twice
