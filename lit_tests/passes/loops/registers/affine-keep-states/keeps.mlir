// States that become what others were stay numbers in registers of their own.
// RUN: polyopt-opt %s -p affine-keep-states | filecheck %s

// CHECK-LABEL: func.func @cascade
// CHECK:         [[A:%.*]] = cmem.apart %z0_next : f32
// CHECK-NEXT:    affine.store [[A]], %z[0]
// CHECK:         [[B:%.*]] = cmem.apart %z1_next : f32
// CHECK-NEXT:    affine.store [[B]], %z[1]
// CHECK:         cmem.apart
// CHECK:         cmem.apart
// CHECK-NOT:     cmem.apart
func.func @cascade(%n: index, %x: memref<?xf32>, %y: memref<?xf32>, %z: memref<4xf32>, %c: f32) {
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %z0 = affine.load %z[0] : memref<4xf32>
    %z1 = affine.load %z[1] : memref<4xf32>
    %o = arith.addf %v, %z0 : f32
    %z0_next = arith.addf %o, %z1 : f32
    affine.store %z0_next, %z[0] : memref<4xf32>
    %z1_next = arith.mulf %o, %c : f32
    affine.store %z1_next, %z[1] : memref<4xf32>
    %z2 = affine.load %z[2] : memref<4xf32>
    %z3 = affine.load %z[3] : memref<4xf32>
    %p = arith.addf %o, %z2 : f32
    %z2_next = arith.addf %p, %z3 : f32
    affine.store %z2_next, %z[2] : memref<4xf32>
    %z3_next = arith.mulf %p, %c : f32
    affine.store %z3_next, %z[3] : memref<4xf32>
    affine.store %p, %y[%i] : memref<?xf32>
  }
  func.return
}

// In arguments of the loop as in memory.
// CHECK-LABEL: func.func @turned
// CHECK-COUNT-4: cmem.apart
// CHECK-NOT:     cmem.apart
// CHECK:         affine.yield
func.func @turned(%n: index, %c: f64) -> f64 {
  %a, %b, %d, %e = affine.for %i = 0 to %n iter_args(%p = %c, %q = %c, %r = %c, %s = %c) -> (f64, f64, f64, f64) {
    %p_next = arith.addf %q, %c : f64
    %q_next = arith.mulf %r, %c : f64
    %r_next = arith.subf %s, %p : f64
    %s_next = arith.addf %p, %q : f64
    affine.yield %p_next, %q_next, %r_next, %s_next : f64, f64, f64, f64
  }
  func.return %a : f64
}
