// Nothing is handed on that another store may change in between, of an element that stays where it is,
// or where conditionals decide on loads; what one iteration before alone has left, LLVM hands on.
// RUN: polyopt-opt %s -p "affine-vectorize{march=x86-64-v3}" | filecheck %s
// CHECK-NOT: iter_args

func.func @other_store(%z: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    %u = affine.load %y[%i - 1] : memref<?xf32>
    %v = affine.load %y[%i - 2] : memref<?xf32>
    %s = arith.mulf %u, %v : f32
    affine.store %s, %y[%i] : memref<?xf32>
    affine.store %u, %z[%i] : memref<?xf32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}
func.func @one_before(%y: memref<?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    %u = affine.load %y[%i - 1] : memref<?xf32>
    %s = arith.mulf %u, %u : f32
    affine.store %s, %y[%i] : memref<?xf32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}
func.func @conditional(%y: memref<?xf32>, %n: index, %c: i1) {
  affine.for %i = 2 to %n {
    %u = affine.load %y[%i - 1] : memref<?xf32>
    scf.if %c {
      %v = affine.load %y[%i - 2] : memref<?xf32>
      %s = arith.mulf %u, %v : f32
      affine.store %s, %y[%i] : memref<?xf32>
    }
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}
func.func @far_apart(%y: memref<?xf32>, %n: index) {
  affine.for %i = 3 to %n {
    %u = affine.load %y[%i - 1] : memref<?xf32>
    %v = affine.load %y[%i - 3] : memref<?xf32>
    %s = arith.mulf %u, %v : f32
    affine.store %s, %y[%i] : memref<?xf32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}

// Several stores to one array: what has been stored in the same iteration is no earlier one's, and of
// elements that stay, or lie who knows how far apart, nothing is known.
func.func @same_iteration(%y: memref<?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    %u = affine.load %y[%i - 1] : memref<?xf32>
    affine.store %u, %y[%i - 2] : memref<?xf32>
    %v = affine.load %y[%i - 2] : memref<?xf32>
    affine.store %v, %y[%i] : memref<?xf32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}
func.func @unknown_distance(%y: memref<?xf32>, %n: index, %m: index) {
  affine.for %i = 2 to %n {
    %u = affine.load %y[%i - 1] : memref<?xf32>
    %v = affine.load %y[%i - 2] : memref<?xf32>
    affine.store %u, %y[%i] : memref<?xf32>
    affine.store %v, %y[%i + %m] : memref<?xf32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}
func.func @stays(%y: memref<?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    %u = affine.load %y[%i - 1] : memref<?xf32>
    %v = affine.load %y[%i - 2] : memref<?xf32>
    affine.store %u, %y[%i] : memref<?xf32>
    affine.store %v, %y[0] : memref<?xf32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}

// Several stores hand on more than there is room for.
func.func @many(%y: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %a = affine.load %y[%i] : memref<?xf32>
    %b = affine.load %y[%i + 1] : memref<?xf32>
    %c = affine.load %y[%i + 2] : memref<?xf32>
    %d = affine.load %y[%i + 3] : memref<?xf32>
    %e = affine.load %y[%i + 4] : memref<?xf32>
    affine.store %a, %y[%i + 1] : memref<?xf32>
    affine.store %b, %y[%i + 2] : memref<?xf32>
    affine.store %c, %y[%i + 3] : memref<?xf32>
    affine.store %d, %y[%i + 4] : memref<?xf32>
    affine.store %e, %y[%i + 5] : memref<?xf32>
  } {poly.loop = #poly.loop<iterator = "i">}
  func.return
}
