// Buffers stay where they are if nobody frees them, or if the iteration itself computes their size.
// RUN: polyopt-opt %s -p 'hoist-buffers' | filecheck %s

// Each iteration has its own, as far as anybody knows.
func.func @never_freed(%n : index, %x : f64, %A : memref<?xf64>) {
  affine.for %i = 0 to %n {
    %b = memref.alloc() : memref<8xf64>
    affine.store %x, %b[0] : memref<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @never_freed(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %b = memref.alloc() : memref<8xf64>
// CHECK-NEXT:      affine.store %x, %b[0] : memref<8xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// Its size is known in the iteration only.
func.func @own_size(%n : index, %P : memref<?xindex>, %x : f64) {
  affine.for %i = 0 to %n {
    %m = affine.load %P[%i] : memref<?xindex>
    %b = memref.alloc(%m) : memref<?xf64>
    affine.store %x, %b[0] : memref<?xf64>
    memref.dealloc %b : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @own_size(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %m = affine.load %P[%i] : memref<?xindex>
// CHECK-NEXT:      %b = memref.alloc(%m) : memref<?xf64>
// CHECK-NEXT:      affine.store %x, %b[0] : memref<?xf64>
// CHECK-NEXT:      memref.dealloc %b : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
