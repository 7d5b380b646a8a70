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
      %y = affine.load %b[%j] : memref<?xf64>
      affine.store %y, %b[%j] : memref<?xf64>
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
// CHECK-NEXT:        %y = affine.load %b[%j] : memref<?xf64>
// CHECK-NEXT:        affine.store %y, %b[%j] : memref<?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %b : memref<?xf64>
// CHECK-NEXT:    func.return

// Two loops, as of two versions: each has a variable of its own, though no place is the other's.
func.func @two_nests(%n : index, %x : f64, %A : memref<?xf64>) {
  %b = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n {
    affine.store %x, %b[%i] : memref<?xf64>
    affine.for %j = 0 to %n {
      %s = affine.load %b[%i] : memref<?xf64>
      %y = affine.load %A[%j] : memref<?xf64>
      %z = arith.addf %s, %y : f64
      affine.store %z, %b[%i] : memref<?xf64>
    }
  }
  affine.for %k = 1 to %n {
    affine.store %x, %b[%k - 1] : memref<?xf64>
    %t = affine.load %b[%k - 1] : memref<?xf64>
    affine.store %t, %A[%k] : memref<?xf64>
  }
  memref.dealloc %b : memref<?xf64>
  func.return
}

// CHECK-LABEL: func.func @two_nests(
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %b = memref.alloca() : memref<f64>
// CHECK-NEXT:      affine.store %x, %b[] : memref<f64>
// CHECK-NEXT:      affine.for %j = 0 to %n {
// CHECK-NEXT:        %s = affine.load %b[] : memref<f64>
// CHECK-NEXT:        %y = affine.load %A[%j] : memref<?xf64>
// CHECK-NEXT:        %z = arith.addf %s, %y : f64
// CHECK-NEXT:        affine.store %z, %b[] : memref<f64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    affine.for %k = 1 to %n {
// CHECK-NEXT:      [[B:%b\S*]] = memref.alloca() : memref<f64>
// CHECK-NEXT:      affine.store %x, [[B]][] : memref<f64>
// CHECK-NEXT:      %t = affine.load [[B]][] : memref<f64>
// CHECK-NEXT:      affine.store %t, %A[%k] : memref<?xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// Rows that run together have a variable each, and what is left of them, too.
func.func @two_rows(%n : index, %x : f64, %A : memref<?xf64>) {
  %b = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 0 to %n step 2 {
    affine.store %x, %b[%i] : memref<?xf64>
    affine.store %x, %b[%i + 1] : memref<?xf64>
    affine.for %j = 0 to %n {
      %s = affine.load %b[%i] : memref<?xf64>
      affine.store %s, %b[%i] : memref<?xf64>
    }
    %t = affine.load %b[%i + 1] : memref<?xf64>
    affine.store %t, %A[%i] : memref<?xf64>
  }
  memref.dealloc %b : memref<?xf64>
  func.return
}

// CHECK-LABEL: func.func @two_rows(
// CHECK-NOT:     memref.alloc(
// CHECK-COUNT-2: memref.alloca() : memref<f64>
// CHECK-NOT:     memref.dealloc
// CHECK:         func.return
