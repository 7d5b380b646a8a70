// The same of a module that no C front end made: exponentials go ahead of the product that goes round,
// where the arrays are distinct.
// RUN: polyopt-opt %s -p affine-isolate-calls | filecheck %s
module attributes {polyopt.fastmath = #arith.fastmath<fast>} {
  func.func @decay(%n: index) -> f64 {
    %zero = arith.constant 0 : index
    %one = arith.constant 1.0 : f64
    %x = memref.alloc(%n) : memref<?xf64>
    %y = memref.alloc(%n) : memref<?xf64>
    affine.for %k = 0 to affine_map<()[s0] -> (s0)>()[%n] {
      affine.store %one, %x[%k] : memref<?xf64>
    }
    affine.store %one, %y[%zero] : memref<?xf64>
    affine.for %i = 1 to affine_map<()[s0] -> (s0)>()[%n] {
      %a = affine.load %x[%i] : memref<?xf64>
      %e = math.exp %a : f64
      %p = affine.load %y[%i + -1] : memref<?xf64>
      %s = arith.mulf %p, %e : f64
      affine.store %s, %y[%i] : memref<?xf64>
    }
    %last = affine.load %y[%zero] : memref<?xf64>
    func.return %last : f64
  }
}

// CHECK:      affine.for %strip = 1 to
// CHECK:        affine.for
// CHECK:          %e = math.exp
// CHECK-NEXT:     affine.store %e, %{{.*}} : memref<256xf64>
// CHECK-NEXT:   } {poly.loop = #poly.loop<parallel>}
// CHECK:        affine.for
// CHECK-NOT:      math.exp
// CHECK:          affine.store %s, %y
