// What the iteration before and the one before that have stored goes on in registers: a recurrence of
// two terms, from what the first iteration would load, if there is one. Integers, too.
// RUN: polyopt-opt %s -p "affine-vectorize{march=x86-64-v3}" | filecheck %s

// CHECK-LABEL: func.func @two_terms
// CHECK:         "affine.if"
// CHECK:           affine.load %y[1] : memref<?xf32>
// CHECK:           affine.load %y[0] : memref<?xf32>
// CHECK:         affine.for %i = 2 to {{.*}} iter_args([[A:%.*]] = {{.*}}, [[B:%.*]] = {{.*}}) -> (f32, f32)
// CHECK-NOT:       affine.load %y
// CHECK:           affine.store [[NEW:%.*]], %y[%i]
// CHECK:           affine.yield [[NEW]], [[A]] : f32, f32
func.func @two_terms(%x: memref<?xf32>, %y0: memref<?xf32>, %n: index, %p: f32, %q: f32) {
  %a, %y = cmem.distinct_objects %x, %y0 : memref<?xf32>, memref<?xf32> -> memref<?xf32>, memref<?xf32>
  affine.for %i = 2 to %n {
    %t = affine.load %a[%i] : memref<?xf32>
    %u = affine.load %y[%i - 1] : memref<?xf32>
    %v = affine.load %y[%i - 2] : memref<?xf32>
    %pu = arith.mulf %p, %u : f32
    %qv = arith.mulf %q, %v : f32
    %s = arith.addf %t, %pu : f32
    %r = arith.addf %s, %qv : f32
    affine.store %r, %y[%i] : memref<?xf32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @numbers
// CHECK:         affine.for {{.*}} -> (i32, i32)
func.func @numbers(%y: memref<?xi32>, %n: index) {
  affine.for %i = 2 to %n {
    %u = affine.load %y[%i - 1] : memref<?xi32>
    %v = affine.load %y[%i - 2] : memref<?xi32>
    %s = arith.xori %u, %v : i32
    %t = arith.muli %s, %u : i32
    affine.store %t, %y[%i] : memref<?xi32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}

// Two stores to one array, each of which the next iteration loads: of these LLVM loads one again.

// CHECK-LABEL: func.func @errors
// CHECK:         affine.for {{.*}} iter_args([[A:%.*]] = {{.*}}, [[B:%.*]] = {{.*}}) -> (f32, f32)
// CHECK:           [[C:%.*]] = affine.load %y[%i + 2] : memref<?xf32>
// CHECK-NEXT:      [[S:%.*]] = arith.addf [[A]], [[B]]
// CHECK-NEXT:      affine.store [[S]], %y[%i + 1]
// CHECK-NEXT:      [[T:%.*]] = arith.mulf [[B]], [[C]]
// CHECK-NEXT:      affine.store [[T]], %y[%i + 2]
// CHECK-NEXT:      affine.yield [[S]], [[T]] : f32, f32
func.func @errors(%y: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %u = affine.load %y[%i] : memref<?xf32>
    %v = affine.load %y[%i + 1] : memref<?xf32>
    %w = affine.load %y[%i + 2] : memref<?xf32>
    %s = arith.addf %u, %v : f32
    affine.store %s, %y[%i + 1] : memref<?xf32>
    %t = arith.mulf %v, %w : f32
    affine.store %t, %y[%i + 2] : memref<?xf32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}
