// xDSL's stencils: its own passes make loops of scf over views of them, these become a SCoP with the
// fields' own subscripts.
// RUN: polyopt-opt %s -p "shape-inference,convert-stencil-to-ll-mlir,raise-to-affine" | filecheck %s
// RUN: polyopt-opt %s -p "shape-inference,convert-stencil-to-ll-mlir,raise-to-affine,affine-to-poly{assume-distinct=true}" | filecheck %s --check-prefix=POLY

// CHECK:      affine.for [[I:%.*]] = 1 to 65 {
// CHECK-NEXT:   affine.for [[J:%.*]] = 1 to 33 {
// CHECK-NEXT:     %{{.*}} = affine.load %u[[[I]] + -1, [[J]]] : memref<66x34xf64>
// CHECK-NEXT:     %{{.*}} = affine.load %u[[[I]] + 1, [[J]]] : memref<66x34xf64>
// CHECK-NEXT:     %{{.*}} = arith.addf
// CHECK-NEXT:     affine.store %{{.*}}, %v[[[I]], [[J]]] : memref<66x34xf64>
// CHECK-NOT:  memref.subview

// POLY: poly.stmt "S" domain <"{ S[i, i_1] : 0 < i <= 64 and 0 < i_1 <= 32 }">
func.func @mean(%u : !stencil.field<[0,66]x[0,34]xf64>, %v : !stencil.field<[0,66]x[0,34]xf64>) {
  %t = stencil.load %u : !stencil.field<[0,66]x[0,34]xf64> -> !stencil.temp<?x?xf64>
  %r = stencil.apply(%i = %t : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
    %l = stencil.access %i[-1, 0] : !stencil.temp<?x?xf64>
    %m = stencil.access %i[1, 0] : !stencil.temp<?x?xf64>
    %s = arith.addf %l, %m : f64
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[1, 1], [65, 33]>) : !stencil.temp<?x?xf64> to !stencil.field<[0,66]x[0,34]xf64>
  func.return
}
