// RUN: polyopt-opt -p drop-buffers %s | filecheck %s

// A buffer that nobody loads goes with its stores. A store to another place than is loaded may be to
// the same element, and one that is not: both keep the buffer.

// CHECK-LABEL: @only_stored
// CHECK-NOT: memref.alloc
// CHECK-NOT: affine.store
func.func @only_stored(%n: index, %a: memref<?xf64>) {
  %t = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    affine.store %x, %t[%i] : memref<?xf64>
  }
  memref.dealloc %t : memref<?xf64>
  func.return
}

// CHECK-LABEL: @another_place
// CHECK: affine.load %t
func.func @another_place(%n: index, %a: memref<?xf64>) {
  %t = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf64>
    affine.store %x, %t[%i] : memref<?xf64>
    affine.store %x, %t[2 * %i] : memref<?xf64>
    %y = affine.load %t[%i] : memref<?xf64>
    affine.store %y, %a[%i] : memref<?xf64>
  }
  memref.dealloc %t : memref<?xf64>
  func.return
}
