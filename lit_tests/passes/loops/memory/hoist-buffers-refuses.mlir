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

// The next iteration, another loop or an iteration that stores later takes what one has stored, or
// the store is in a branch: no variable of an iteration holds it.
func.func @later(%n : index, %x : f64, %A : memref<?xf64>) {
  %b = memref.alloc(%n) : memref<?xf64>
  %c = memref.alloc(%n) : memref<?xf64>
  %d = memref.alloc(%n) : memref<?xf64>
  %e = memref.alloc(%n) : memref<?xf64>
  affine.for %i = 1 to %n {
    affine.store %x, %b[%i] : memref<?xf64>
    %p = affine.load %b[%i - 1] : memref<?xf64>
    affine.store %p, %A[%i] : memref<?xf64>
    affine.store %x, %c[%i] : memref<?xf64>
    %q = affine.load %d[%i] : memref<?xf64>
    affine.store %q, %d[%i] : memref<?xf64>
    "affine.if"(%i) <{condition = affine_set<(d0) : (d0 - 5 >= 0)>}> ({
      affine.store %x, %e[%i] : memref<?xf64>
      affine.yield
    }, {
      affine.yield
    }) : (index) -> ()
    %s = affine.load %e[%i] : memref<?xf64>
    affine.store %s, %A[%i] : memref<?xf64>
  }
  affine.for %j = 1 to %n {
    %r = affine.load %c[%j] : memref<?xf64>
    affine.store %r, %A[%j] : memref<?xf64>
  }
  memref.dealloc %e : memref<?xf64>
  memref.dealloc %d : memref<?xf64>
  memref.dealloc %c : memref<?xf64>
  memref.dealloc %b : memref<?xf64>
  func.return
}

// CHECK-LABEL: func.func @later(
// CHECK:         %b = memref.view %buffers
// CHECK-NEXT:    %c = memref.view %buffers
// CHECK-NEXT:    %d = memref.view %buffers
// CHECK-NEXT:    %e = memref.view %buffers
// CHECK-NOT:     memref.alloca
// CHECK:         memref.dealloc %buffers

// What lies as far apart as nobody knows may be one element.
func.func @perhaps_one(%n : index, %x : f64, %y : f64, %A : memref<?xf64>) {
  %b = memref.alloc(%n) : memref<?xf64>
  affine.for %k = 0 to %n {
    affine.for %i = 0 to %n {
      affine.store %x, %b[%i] : memref<?xf64>
      affine.store %y, %b[%k] : memref<?xf64>
      %p = affine.load %b[%i] : memref<?xf64>
      affine.store %p, %A[%i] : memref<?xf64>
    }
  }
  memref.dealloc %b : memref<?xf64>
  func.return
}

// CHECK-LABEL: func.func @perhaps_one(
// CHECK:         memref.alloc(
// CHECK-NOT:     memref.alloca
// CHECK:         func.return
