// Two memrefs that may be one are compared, all of both, in front of the loops; where they overlap
// the loops run as they were. A memref that this function made needs no check, and without the
// option the loops stay.
// RUN: polyopt-opt %s -p "affine-to-poly{check-overlaps=true}" | filecheck %s
// RUN: polyopt-opt %s -p affine-to-poly | filecheck %s --check-prefix=STAYS

func.func @copy(%x : memref<8xf64>, %y : memref<?xf64>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf64>
    affine.store %a, %y[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @copy
// CHECK:         cmem.address %x
// CHECK:         memref.dim %y
// CHECK:         arith.cmpi ule
// CHECK:         arith.cmpi ule
// CHECK-NEXT:    %apart = arith.ori
// CHECK-NEXT:    scf.if %apart {
// CHECK-NEXT:      cmem.distinct_objects %x, %y
// CHECK-NEXT:      poly.scop "copy"
// CHECK:         } else {
// CHECK-NEXT:      affine.for %i{{.*}} = 0 to 8 {
// CHECK-NEXT:        affine.load %x
// CHECK-NEXT:        affine.store %{{.*}}, %y
// STAYS-LABEL: func.func @copy
// STAYS-NEXT:    affine.for

func.func @own(%x : memref<8xf64>) {
  %y = memref.alloc() : memref<8xf64>
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf64>
    affine.store %a, %y[%i] : memref<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @own
// CHECK-NOT:     scf.if
// CHECK:         poly.scop "own"
// STAYS-LABEL: func.func @own
// STAYS:         poly.scop "own"
