// At the edges: a loop that runs never, a buffer of no elements.
// RUN: polyopt-opt %s -p 'hoist-buffers' | filecheck %s

func.func @empty(%x : f64) {
  affine.for %i = 4 to 4 {
    %b = memref.alloc() : memref<8xf64>
    affine.store %x, %b[%i] : memref<8xf64>
    memref.dealloc %b : memref<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    %b = memref.alloc() : memref<8xf64>
// CHECK-NEXT:    affine.for %i = 4 to 4 {
// CHECK-NEXT:      affine.store %x, %b[%i] : memref<8xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %b : memref<8xf64>
// CHECK-NEXT:    func.return

func.func @no_elements(%n : index, %x : f64) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to %n {
    %b = memref.alloc(%c0) : memref<?xf64>
    affine.for %j = 0 to 0 {
      affine.store %x, %b[%j] : memref<?xf64>
    }
    memref.dealloc %b : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @no_elements(
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    [[V0:%\d+]] = arith.constant 0 : index
// CHECK-NEXT:    [[V1:%\d+]] = arith.maxsi %c0, [[V0]] : index
// CHECK-NEXT:    %b = memref.alloc([[V1]]) : memref<?xf64>
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      affine.for %j = 0 to 0 {
// CHECK-NEXT:        affine.store %x, %b[%j] : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %b : memref<?xf64>
// CHECK-NEXT:    func.return
