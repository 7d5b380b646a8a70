// Sums beside each other are lanes for LLVM, states of vectors are ours already, what another
// loop is inside of is not looked at, and a long double lives in no such register.
// RUN: polyopt-opt %s -p affine-keep-states | filecheck %s
// CHECK-NOT: cmem.apart

func.func @sums(%n: index, %x: memref<?xf32>, %z: memref<4xf32>) {
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf32>
    %z0 = affine.load %z[0] : memref<4xf32>
    %s0 = arith.addf %z0, %v : f32
    affine.store %s0, %z[0] : memref<4xf32>
    %z1 = affine.load %z[1] : memref<4xf32>
    %s1 = arith.mulf %z1, %v : f32
    affine.store %s1, %z[1] : memref<4xf32>
    %z2 = affine.load %z[2] : memref<4xf32>
    %s2 = arith.addf %z2, %v : f32
    affine.store %s2, %z[2] : memref<4xf32>
    %z3 = affine.load %z[3] : memref<4xf32>
    %s3 = arith.subf %z3, %v : f32
    affine.store %s3, %z[3] : memref<4xf32>
  }
  func.return
}

func.func @vectors(%n: index, %c: f64, %v: vector<4xf64>) -> f64 {
  %a, %b, %d, %e = affine.for %i = 0 to %n iter_args(%p = %c, %q = %c, %r = %c, %s = %c) -> (f64, f64, f64, f64) {
    %w = arith.addf %v, %v : vector<4xf64>
    affine.yield %q, %r, %s, %p : f64, f64, f64, f64
  }
  func.return %a : f64
}

func.func @around(%n: index, %c: f64, %x: memref<?xf64>) -> f64 {
  %a, %b, %d, %e = affine.for %i = 0 to %n iter_args(%p = %c, %q = %c, %r = %c, %s = %c) -> (f64, f64, f64, f64) {
    affine.for %j = 0 to %n {
      affine.store %p, %x[%j] : memref<?xf64>
    }
    affine.yield %q, %r, %s, %p : f64, f64, f64, f64
  }
  func.return %a : f64
}

func.func @long_doubles(%n: index, %c: f80) -> f80 {
  %a, %b, %d, %e = affine.for %i = 0 to %n iter_args(%p = %c, %q = %c, %r = %c, %s = %c) -> (f80, f80, f80, f80) {
    %p_next = arith.addf %q, %c : f80
    %q_next = arith.mulf %r, %c : f80
    %r_next = arith.subf %s, %p : f80
    %s_next = arith.addf %p, %q : f80
    affine.yield %p_next, %q_next, %r_next, %s_next : f80, f80, f80, f80
  }
  func.return %a : f80
}
