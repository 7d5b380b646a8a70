// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 least=480000 march=x86-64-v4}' | filecheck %s

// Whoever is the first to touch what was allocated gets it from afar, page by page: that is worth threads.

// CHECK-LABEL: func.func @first
// CHECK:       "omp.parallel"
func.func @first(%x: f64) {
  %A = memref.alloc() : memref<1000x1200xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1200 {
      affine.store %x, %A[%i, %j] : memref<1000x1200xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.call @use(%A) : (memref<1000x1200xf64>) -> ()
  func.return
}

// Not where somebody has touched it before, where it is somebody else's, nor where caches hold it.

// CHECK-LABEL: func.func @again
// CHECK-NOT:   omp.parallel
// CHECK-LABEL: func.func @given
// CHECK-NOT:   omp.parallel
// CHECK-LABEL: func.func @little
// CHECK-NOT:   omp.parallel
// CHECK:       func.func private @use
func.func @again(%x: f64) {
  %A = memref.alloc() : memref<1000x1200xf64>
  func.call @use(%A) : (memref<1000x1200xf64>) -> ()
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1200 {
      affine.store %x, %A[%i, %j] : memref<1000x1200xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
func.func @given(%A: memref<1000x1200xf64>, %x: f64) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1200 {
      affine.store %x, %A[%i, %j] : memref<1000x1200xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
func.func @little(%x: f64) {
  %A = memref.alloc() : memref<200x1200xf64>
  affine.for %i = 0 to 200 {
    affine.for %j = 0 to 1200 {
      affine.store %x, %A[%i, %j] : memref<200x1200xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.call @use_little(%A) : (memref<200x1200xf64>) -> ()
  func.return
}
func.func private @use(memref<1000x1200xf64>)
func.func private @use_little(memref<200x1200xf64>)
