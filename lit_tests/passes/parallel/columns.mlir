// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 march=x86-64-v3}' | filecheck %s

// Of a product by a triangle, rows take different times, and threads that pack columns together wait for
// each other at each block of these: columns are shared out, which are all alike.

// CHECK-LABEL: func.func @triangle
// CHECK-NOT:   %parts
// CHECK:       "omp.parallel"
// CHECK:         affine.for %i = 0 to 1000 {
// CHECK-NEXT:      affine.for %j = %first to %last {
// CHECK-NEXT:        affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
func.func @triangle(%A: memref<1000x1000xf64>, %B: memref<1000x1200xf64>, %C: memref<1000x1200xf64>) {
  %a, %b, %c = cmem.distinct_objects %A, %B, %C : memref<1000x1000xf64>, memref<1000x1200xf64>, memref<1000x1200xf64> -> memref<1000x1000xf64>, memref<1000x1200xf64>, memref<1000x1200xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1200 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %x = affine.load %a[%i, %k] : memref<1000x1000xf64>
        %y = affine.load %b[%k, %j] : memref<1000x1200xf64>
        %p = arith.mulf %x, %y : f64
        %z = affine.load %c[%i, %j] : memref<1000x1200xf64>
        %s = arith.addf %z, %p : f64
        affine.store %s, %c[%i, %j] : memref<1000x1200xf64>
      } {poly.loop = #poly.loop<reduces = ["C"], iterator = "k", contract>}
    } {poly.loop = #poly.loop<parallel, iterator = "j", contract>}
  } {poly.loop = #poly.loop<parallel, iterator = "i", contract>}
  func.return
}

// Where both are of different lengths, rows are, in parts of equal work; where rows are all alike, in equal
// parts.

// CHECK-LABEL: func.func @half
// CHECK:       %parts
// CHECK:       "omp.parallel"
// CHECK:         affine.for %i = %first to %last {
func.func @half(%A: memref<1000x1200xf64>, %C: memref<1000x1000xf64>) {
  %a, %c = cmem.distinct_objects %A, %C : memref<1000x1200xf64>, memref<1000x1000xf64> -> memref<1000x1200xf64>, memref<1000x1000xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to 1200 {
        %x = affine.load %a[%i, %k] : memref<1000x1200xf64>
        %y = affine.load %a[%j, %k] : memref<1000x1200xf64>
        %p = arith.mulf %x, %y : f64
        %z = affine.load %c[%i, %j] : memref<1000x1000xf64>
        %s = arith.addf %z, %p : f64
        affine.store %s, %c[%i, %j] : memref<1000x1000xf64>
      } {poly.loop = #poly.loop<reduces = ["C"], iterator = "k", contract>}
    } {poly.loop = #poly.loop<parallel, iterator = "j", contract>}
  } {poly.loop = #poly.loop<parallel, iterator = "i", contract>}
  func.return
}

// Of a few columns not all threads would get any: rows are shared out.

// CHECK-LABEL: func.func @few
// CHECK:       "omp.parallel"
// CHECK:         affine.for %i = %first to %last {
// CHECK-NEXT:      affine.for %j = 0 to 24 {
func.func @few(%A: memref<4000x4000xf64>, %B: memref<4000x24xf64>, %C: memref<4000x24xf64>) {
  %a, %b, %c = cmem.distinct_objects %A, %B, %C : memref<4000x4000xf64>, memref<4000x24xf64>, memref<4000x24xf64> -> memref<4000x4000xf64>, memref<4000x24xf64>, memref<4000x24xf64>
  affine.for %i = 0 to 4000 {
    affine.for %j = 0 to 24 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %x = affine.load %a[%i, %k] : memref<4000x4000xf64>
        %y = affine.load %b[%k, %j] : memref<4000x24xf64>
        %p = arith.mulf %x, %y : f64
        %z = affine.load %c[%i, %j] : memref<4000x24xf64>
        %s = arith.addf %z, %p : f64
        affine.store %s, %c[%i, %j] : memref<4000x24xf64>
      } {poly.loop = #poly.loop<reduces = ["C"], iterator = "k", contract>}
    } {poly.loop = #poly.loop<parallel, iterator = "j", contract>}
  } {poly.loop = #poly.loop<parallel, iterator = "i", contract>}
  func.return
}
