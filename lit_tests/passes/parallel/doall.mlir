// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4}' | filecheck %s

// What carries nothing is shared out by its outermost loop, in parts that are equally long.

// CHECK-LABEL: func.func @rectangle
// CHECK:       "omp.parallel"(%threads)
// CHECK:         "omp.wsloop"
// CHECK-SAME:      schedulekind static
// CHECK:           "omp.loop_nest"
// CHECK:             %first, %last = team.share %{{[0-9]+}} to %{{[0-9]+}} of %{{[0-9]+}} to %{{[0-9]+}}
// CHECK-NEXT:        affine.for %i = %first to %last {
// CHECK-NEXT:          affine.for %j = 0 to 1000 {
// CHECK:           } {poly.loop = #poly.loop<parallel, iterator = "i">}
// CHECK:         omp.yield
// CHECK:       "omp.terminator"
func.func @rectangle(%A: memref<1000x1000xf64>) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %x = affine.load %A[%i, %j] : memref<1000x1000xf64>
      %y = arith.addf %x, %x : f64
      affine.store %y, %A[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// Where iterations take different times, some are asked, and the parts' starts are in a table.

// CHECK-LABEL: func.func @triangle
// CHECK:       %parts = memref.alloc(%{{.*}}) : memref<?xindex>
// CHECK:       memref.store %{{.*}}, %cycles[%segment] : memref<9xf64>
// CHECK:       memref.store %{{.*}}, %before[%{{.*}}] : memref<9xf64>
// CHECK:       math.sqrt
// CHECK:       memref.store %{{.*}}, %parts[%{{.*}}]
// CHECK:       "omp.parallel"
// CHECK:         memref.load %parts
// CHECK:       memref.dealloc %parts
func.func @triangle(%A: memref<1000x1000xf64>) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to %i {
      %x = affine.load %A[%i, %j] : memref<1000x1000xf64>
      %y = arith.addf %x, %x : f64
      affine.store %y, %A[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// Neighbours whose iterations i meet in row i of an array only run in the same parts.

// CHECK-LABEL: func.func @neighbours
// CHECK-COUNT-1: "omp.parallel"
// CHECK:         affine.for %i =
// CHECK:         affine.for %k =
// CHECK-NOT:   "omp.parallel"
// CHECK:       func.return
func.func @neighbours(%A: memref<1000x1000xf64>) {
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %x = affine.load %A[%i, %j] : memref<1000x1000xf64>
      %y = arith.addf %x, %x : f64
      affine.store %y, %A[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  affine.for %k = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %x = affine.load %A[%k, 0] : memref<1000x1000xf64>
      affine.store %x, %A[%k, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<parallel, iterator = "k">}
  func.return
}

// Those that meet elsewhere have regions of their own, one after the other.

// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-2: "omp.parallel"
// CHECK:       func.return
func.func @transposed(%A: memref<2000x2000xf64>, %B: memref<2000x2000xf64>) {
  affine.for %i = 0 to 2000 {
    affine.for %j = 0 to 2000 {
      %x = affine.load %B[%i, %j] : memref<2000x2000xf64>
      affine.store %x, %A[%i, %j] : memref<2000x2000xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  affine.for %i = 0 to 2000 {
    affine.for %j = 0 to 2000 {
      %x = affine.load %A[%j, %i] : memref<2000x2000xf64>
      affine.store %x, %B[%i, %j] : memref<2000x2000xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// Bounds that loops around have a say in are kept beside those of the part: what is known by them
// (here that the rows written are not among those read) stays known.

// CHECK-LABEL: func.func @below
// CHECK:       affine.for %t = 0 to 500 {
// CHECK:         affine.for %i = max affine_map<(d0)[s0] -> ((d0 + 500), s0)>(%t)[%first] to %last {
func.func @below(%A: memref<1000x1000xf64>) {
  affine.for %t = 0 to 500 {
    affine.for %i = affine_map<(d0) -> (d0 + 500)>(%t) to 1000 {
      affine.for %j = 0 to 1000 {
        %x = affine.load %A[%t, 999] : memref<1000x1000xf64>
        affine.store %x, %A[%i, %j] : memref<1000x1000xf64>
      } {poly.loop = #poly.loop<parallel>}
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// Along a row, parts start at multiples of two cache lines: 32 floats or 128 bytes.

// CHECK-LABEL: func.func @row_of_floats
// CHECK:       arith.constant 32 : index
// CHECK-NEXT:  arith.muli
// CHECK:       func.return
func.func @row_of_floats(%A: memref<1000000xf32>) {
  affine.for %i = 1 to 1000000 {
    %x = affine.load %A[%i] : memref<1000000xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %A[%i] : memref<1000000xf32>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}

// CHECK-LABEL: func.func @row_of_bytes
// CHECK:       arith.constant -128 : index
// CHECK-NEXT:  arith.andi %n
// CHECK:       func.return
func.func @row_of_bytes(%A: memref<?xi8>, %n: index) {
  affine.for %i = %n to 10000000 {
    %x = affine.load %A[%i] : memref<?xi8>
    %y = arith.addi %x, %x : i8
    affine.store %y, %A[%i] : memref<?xi8>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
