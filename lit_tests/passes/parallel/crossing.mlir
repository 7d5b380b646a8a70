// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 march=x86-64-v3}' | filecheck %s

// A core that goes along a row fetches lines behind the end of its part, which another thread writes:
// rows that are updated in place are shared out where they are long enough for that.

// CHECK-LABEL: func.func @short_rows
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @short_rows(%A: memref<1000x300xf64>) {
  affine.for %i = 1 to 1000 {
    affine.for %j = 0 to 300 {
      %x = affine.load %A[%i - 1, %j] : memref<1000x300xf64>
      %y = affine.load %A[%i, %j] : memref<1000x300xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<1000x300xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// Whichever rows these are.

// CHECK-LABEL: func.func @halves
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @halves(%A: memref<2000x300xf64>, %n: index) {
  affine.for %i = 1 to 1000 {
    affine.for %j = 0 to 300 {
      %x = affine.load %A[%i + %n floordiv 2 - 1, %j] : memref<2000x300xf64>
      %y = affine.load %A[%i + %n floordiv 2, %j] : memref<2000x300xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i + %n floordiv 2, %j] : memref<2000x300xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @long_rows
// CHECK:       "omp.parallel"
// CHECK:       func.return
func.func @long_rows(%A: memref<75x20000xf64>) {
  affine.for %i = 1 to 75 {
    affine.for %j = 0 to 20000 {
      %x = affine.load %A[%i - 1, %j] : memref<75x20000xf64>
      %y = affine.load %A[%i, %j] : memref<75x20000xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<75x20000xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// More rows than the caches of a core hold: what is fetched from the other one's part has left its
// caches by then.

// CHECK-LABEL: func.func @many_short_rows
// CHECK:       "omp.parallel"
// CHECK:       func.return
func.func @many_short_rows(%A: memref<4000x300xf64>) {
  affine.for %i = 1 to 4000 {
    affine.for %j = 0 to 300 {
      %x = affine.load %A[%i - 1, %j] : memref<4000x300xf64>
      %y = affine.load %A[%i, %j] : memref<4000x300xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<4000x300xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// So it is where there are as many rows as decide when the loop runs.

// CHECK-LABEL: func.func @some_rows
// CHECK:       arith.minimumf
// CHECK:       "omp.parallel"
// CHECK:       func.return
func.func @some_rows(%A: memref<?x300xf64>, %n: index) {
  affine.for %i = 1 to %n {
    affine.for %j = 0 to 300 {
      %x = affine.load %A[%i - 1, %j] : memref<?x300xf64>
      %y = affine.load %A[%i, %j] : memref<?x300xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<?x300xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// The same of columns that lanes go down side by side.

// CHECK-LABEL: func.func @columns
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @columns(%A: memref<600x250xf64>) {
  affine.for %j = 0 to 250 {
    affine.for %i = 1 to 600 {
      %x = affine.load %A[%i - 1, %j] : memref<600x250xf64>
      %y = affine.load %A[%i, %j] : memref<600x250xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<600x250xf64>
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// One row that is updated again and again stays where it is, and so does what is only read.

// CHECK-LABEL: func.func @one_row
// CHECK:       "omp.parallel"
// CHECK:       func.return
func.func @one_row(%A: memref<1000x300xf64>) {
  %s = memref.alloca() : memref<300xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 300 {
      %x = affine.load %A[%i, %j] : memref<1000x300xf64>
      %y = affine.load %s[%j] : memref<300xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %s[%j] : memref<300xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// Nests that share out the same array, one by columns and one by rows, would send it from core to
// core, each time. Who only reads it leaves it alone.

// CHECK-LABEL: func.func @by_columns_then_by_rows
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @by_columns_then_by_rows(%A: memref<1000x200xf64>) {
  %s = memref.alloca() : memref<200xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 200 {
      %x = affine.load %A[%i, %j] : memref<1000x200xf64>
      %y = affine.load %s[%j] : memref<200xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %s[%j] : memref<200xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 200 {
      %x = affine.load %A[%i, %j] : memref<1000x200xf64>
      %y = affine.load %s[%j] : memref<200xf64>
      %z = arith.divf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<1000x200xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @both_read
// CHECK-COUNT-2: "omp.parallel"
// CHECK:       func.return
func.func @both_read(%A: memref<1000x300xf64>, %r: memref<1000x300xf64>) {
  %s = memref.alloca() : memref<300xf64>
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 300 {
      %x = affine.load %A[%i, %j] : memref<1000x300xf64>
      %y = affine.load %s[%j] : memref<300xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %s[%j] : memref<300xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 300 {
      %x = affine.load %A[%i, %j] : memref<1000x300xf64>
      %y = affine.load %s[%j] : memref<300xf64>
      %z = arith.divf %x, %y : f64
      affine.store %z, %r[%i, %j] : memref<1000x300xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
