// As many states as are asked for; integers and elements that go on with the loop are none.
// RUN: polyopt-opt %s -p 'affine-keep-states{least=2}' | filecheck %s
// RUN: polyopt-opt %s -p affine-keep-states | filecheck %s --check-prefix=DEFAULT
// DEFAULT-NOT: cmem.apart

// CHECK-LABEL: func.func @two
// CHECK-COUNT-2: cmem.apart
func.func @two(%n: index, %c: f64) -> f64 {
  %a, %b = affine.for %i = 0 to %n iter_args(%p = %c, %q = %c) -> (f64, f64) {
    %p_next = arith.mulf %q, %c : f64
    %q_next = arith.addf %p, %c : f64
    affine.yield %p_next, %q_next : f64, f64
  }
  func.return %a : f64
}

// CHECK-LABEL: func.func @integers
// CHECK-NOT:     cmem.apart
func.func @integers(%n: index, %c: i32) -> i32 {
  %a, %b = affine.for %i = 0 to %n iter_args(%p = %c, %q = %c) -> (i32, i32) {
    %p_next = arith.addi %q, %c : i32
    %q_next = arith.xori %p, %c : i32
    affine.yield %p_next, %q_next : i32, i32
  }
  func.return %a : i32
}

// CHECK-LABEL: func.func @going_on
// CHECK-NOT:     cmem.apart
func.func @going_on(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  affine.for %i = 1 to %n {
    %p = affine.load %x[%i - 1] : memref<?xf32>
    %q = affine.load %y[%i - 1] : memref<?xf32>
    affine.store %q, %x[%i] : memref<?xf32>
    affine.store %p, %y[%i] : memref<?xf32>
  }
  func.return
}
