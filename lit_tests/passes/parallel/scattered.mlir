// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 march=x86-64-v3}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 march=sapphirerapids}' | filecheck %s --check-prefix=FAR

// Lines that are in no rows, columns and what data choose, come no faster from the last cache to two
// threads than to one; from memory they do, and columns from a last cache that is as far away.

// 8 MB are transposed in the last cache.

// CHECK-LABEL: func.func @columns
// CHECK-NOT:   omp.
// CHECK:       func.return
// FAR-LABEL:   func.func @columns
// FAR:         "omp.parallel"
// FAR:         func.return
func.func @columns(%A: memref<700x700xf64>, %B: memref<700x700xf64>) {
  affine.for %i = 0 to 700 {
    affine.for %j = 0 to 700 {
      %x = affine.load %A[%j, %i] : memref<700x700xf64>
      affine.store %x, %B[%i, %j] : memref<700x700xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// A core's own caches hold 1.8 MB, and not 2.2.

// FAR-LABEL:   func.func @short_columns
// FAR-NOT:     omp.
// FAR:         func.return
func.func @short_columns(%A: memref<340x340xf64>, %B: memref<340x340xf64>) {
  affine.for %i = 0 to 340 {
    affine.for %j = 0 to 340 {
      %x = affine.load %A[%j, %i] : memref<340x340xf64>
      %z = arith.divf %x, %x : f64
      affine.store %z, %B[%i, %j] : memref<340x340xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// FAR-LABEL:   func.func @less_short_columns
// FAR:         "omp.parallel"
// FAR:         func.return
func.func @less_short_columns(%A: memref<370x370xf64>, %B: memref<370x370xf64>) {
  affine.for %i = 0 to 370 {
    affine.for %j = 0 to 370 {
      %x = affine.load %A[%j, %i] : memref<370x370xf64>
      %z = arith.divf %x, %x : f64
      affine.store %z, %B[%i, %j] : memref<370x370xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// 64 MB in memory.

// CHECK-LABEL: func.func @long_columns
// CHECK:       "omp.parallel"
// CHECK:       func.return
func.func @long_columns(%A: memref<2000x2000xf64>, %B: memref<2000x2000xf64>) {
  affine.for %i = 0 to 2000 {
    affine.for %j = 0 to 2000 {
      %x = affine.load %A[%j, %i] : memref<2000x2000xf64>
      affine.store %x, %B[%i, %j] : memref<2000x2000xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// All accesses go along rows of the loop around, which is what lanes are made of.

// CHECK-LABEL: func.func @rows_of_the_loop_around
// CHECK:       "omp.parallel"
// CHECK:       func.return
func.func @rows_of_the_loop_around(%A: memref<700x700xf64>, %B: memref<700x700xf64>) {
  affine.for %j = 0 to 700 {
    affine.for %i = 1 to 700 {
      %x = affine.load %A[%i, %j] : memref<700x700xf64>
      %y = affine.load %B[%i - 1, %j] : memref<700x700xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %B[%i, %j] : memref<700x700xf64>
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @gathered
// CHECK-NOT:   omp.
// CHECK:       func.return
// FAR-LABEL:   func.func @gathered
// FAR-NOT:     omp.
// FAR:         func.return
func.func @gathered(%x: memref<500000xi32>, %v: memref<500000xf64>, %o: memref<500000xf64>) {
  affine.for %i = 0 to 500000 {
    %k = affine.load %x[%i] : memref<500000xi32>
    %at = arith.index_cast %k : i32 to index
    %y = memref.load %v[%at] : memref<500000xf64>
    affine.store %y, %o[%i] : memref<500000xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// A table of a few lines is nowhere else for long.

// CHECK-LABEL: func.func @looked_up
// CHECK:       "omp.parallel"
// CHECK:       func.return
func.func @looked_up(%x: memref<500000xi32>, %v: memref<64xf64>, %o: memref<500000xf64>) {
  affine.for %i = 0 to 500000 {
    %k = affine.load %x[%i] : memref<500000xi32>
    %at = arith.index_cast %k : i32 to index
    %y = memref.load %v[%at] : memref<64xf64>
    affine.store %y, %o[%i] : memref<500000xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// Beside so much arithmetic it does not matter.

// CHECK-LABEL: func.func @much_to_compute
// CHECK:       "omp.parallel"
// CHECK:       func.return
func.func @much_to_compute(%x: memref<500000xi32>, %v: memref<500000xf64>, %o: memref<500000xf64>) {
  affine.for %i = 0 to 500000 {
    %k = affine.load %x[%i] : memref<500000xi32>
    %at = arith.index_cast %k : i32 to index
    %y = memref.load %v[%at] : memref<500000xf64>
    %a = math.exp %y : f64
    %b = math.exp %a : f64
    %c = math.exp %b : f64
    %d = math.exp %c : f64
    %e = math.exp %d : f64
    %f = math.exp %e : f64
    %g = math.exp %f : f64
    %h = math.exp %g : f64
    %s = math.exp %h : f64
    %t = math.exp %s : f64
    affine.store %t, %o[%i] : memref<500000xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
