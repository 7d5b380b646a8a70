// A sum beside stores that leave elements out goes round whole vectors of its own, and is put back
// only where there was one; what is left over is added one by one.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

// CHECK-LABEL: func.func @residual
// CHECK:         affine.if
// CHECK:           affine.for %v = {{.*}} step 8 iter_args
// CHECK:             pvec.write_in_turns
// CHECK:           vector.reduction <add>
// CHECK:           affine.store %{{.*}}, %r[]
// CHECK:         }
// CHECK:         affine.for %i = affine_map
// CHECK:           affine.store %{{.*}}, %u[%i * 2 + 2]
// CHECK:           affine.store %{{.*}}, %r[]
func.func @residual(%n : index, %u : memref<?xf64> {llvm.noalias}, %r : memref<f64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %u[%i * 2 + 1] : memref<?xf64>
    %b = affine.load %u[%i * 2 + 3] : memref<?xf64>
    %c = affine.load %u[%i * 2 + 2] : memref<?xf64>
    %s = arith.addf %a, %b : f64
    %d = arith.subf %s, %c : f64
    affine.store %d, %u[%i * 2 + 2] : memref<?xf64>
    %e = arith.mulf %d, %d : f64
    %o = affine.load %r[] : memref<f64>
    %t = arith.addf %o, %e fastmath<fast> : f64
    affine.store %t, %r[] : memref<f64>
  } {poly.loop = #poly.loop<reduces = ["r"]>}
  func.return
}

// In C's order it stays as it is.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT:     vector<
func.func @in_order(%n : index, %u : memref<?xf64> {llvm.noalias}, %r : memref<f64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %a = affine.load %u[%i * 2 + 1] : memref<?xf64>
    %b = affine.load %u[%i * 2 + 3] : memref<?xf64>
    %d = arith.addf %a, %b : f64
    affine.store %d, %u[%i * 2 + 2] : memref<?xf64>
    %o = affine.load %r[] : memref<f64>
    %t = arith.addf %o, %d : f64
    affine.store %t, %r[] : memref<f64>
  } {poly.loop = #poly.loop<reduces = ["r"]>}
  func.return
}
