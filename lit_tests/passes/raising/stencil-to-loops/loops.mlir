// RUN: polyopt-opt %s -p stencil-to-loops | filecheck %s

// One stencil becomes parallel loops over its range, with accesses at offsets of views; a function
// without stencils, and one of a single element, stay what they are.

// CHECK-LABEL: func.func @mean(%u: memref<66x34xf64>, %v: memref<66x34xf64>)
// CHECK-NOT:     stencil.
// CHECK:         "scf.parallel"({{.*}}) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
// CHECK-COUNT-2:   memref.load
// CHECK:           %s = arith.addf
// CHECK-NEXT:      memref.store %s
// CHECK-NOT:     stencil.
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

// CHECK-LABEL: func.func @other
// CHECK-NEXT:    %x = memref.load %a[%i]
// CHECK-NEXT:    %y = memref.load %a[%i]
// CHECK-NEXT:    %s = arith.addf %x, %y
func.func @other(%a : memref<?xf64>, %i : index) -> f64 {
  %x = memref.load %a[%i] : memref<?xf64>
  %y = memref.load %a[%i] : memref<?xf64>
  %s = arith.addf %x, %y : f64
  func.return %s : f64
}

// A field that is stored to and loaded from again, as Devito does for boundaries, takes no copy.
// CHECK-LABEL: func.func @again(%u: memref<66xf64>, %v: memref<66xf64>)
// CHECK-NOT:     stencil.
// CHECK-NOT:     memref.alloc
// CHECK:         "scf.parallel"
// CHECK:         ^{{.*}}(%i{{.*}}: index):
// CHECK-NOT:     stencil.
// CHECK:         "scf.parallel"
// CHECK-NOT:     stencil.
// CHECK:         func.return
func.func @again(%u : !stencil.field<[0,66]xf64>, %v : !stencil.field<[0,66]xf64>) {
  %t = stencil.load %u : !stencil.field<[0,66]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%i = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %l = stencil.access %i[-1] : !stencil.temp<?xf64>
    stencil.return %l : f64
  }
  stencil.store %r to %v(<[1], [65]>) : !stencil.temp<?xf64> to !stencil.field<[0,66]xf64>
  %w = stencil.load %v : !stencil.field<[0,66]xf64> -> !stencil.temp<?xf64>
  %z = stencil.apply(%i = %w : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %l = stencil.access %i[0] : !stencil.temp<?xf64>
    %m = arith.addf %l, %l : f64
    stencil.return %m : f64
  }
  stencil.store %z to %v(<[1], [2]>) : !stencil.temp<?xf64> to !stencil.field<[0,66]xf64>
  func.return
}
