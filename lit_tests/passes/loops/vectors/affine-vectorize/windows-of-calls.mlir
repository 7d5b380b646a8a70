// Calls with vector forms in loops that load what a later iteration loads again are ours: LLVM hands
// these elements on, and makes no vectors then. Elements in turns are loaded once each.
// RUN: polyopt-opt %s -p "affine-vectorize{march=x86-64-v3}" | filecheck %s

// CHECK-LABEL: func.func @weights
// CHECK:         math.exp {{.*}} : vector<8xf32>
// CHECK:         math.exp {{.*}} : vector<8xf32>
func.func @weights(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %p, %q = cmem.distinct_objects %a, %b : memref<?xf32>, memref<?xf32> -> memref<?xf32>, memref<?xf32>
  affine.for %i = 1 to %n {
    %x = affine.load %p[%i - 1] : memref<?xf32>
    %y = affine.load %p[%i] : memref<?xf32>
    %u = math.exp %x fastmath<fast> : f32
    %v = math.exp %y fastmath<fast> : f32
    %s = arith.addf %u, %v fastmath<fast> : f32
    affine.store %s, %q[%i] : memref<?xf32>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @in_turns
// CHECK-NOT:     vector
func.func @in_turns(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %p, %q = cmem.distinct_objects %a, %b : memref<?xf32>, memref<?xf32> -> memref<?xf32>, memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %p[2 * %i] : memref<?xf32>
    %y = affine.load %p[2 * %i + 1] : memref<?xf32>
    %u = math.exp %x fastmath<fast> : f32
    %v = math.exp %y fastmath<fast> : f32
    %s = arith.addf %u, %v fastmath<fast> : f32
    affine.store %s, %q[%i] : memref<?xf32>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
