// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4 least=0}' | filecheck %s

// A loop that carries something is run by all threads, each with its share of the loops inside along
// which nothing depends; parts start at multiples of two cache lines.

// CHECK-LABEL: func.func @down
// CHECK:       "omp.parallel"(%threads)
// CHECK:         arith.constant 16 : index
// CHECK:         %first, %last = team.share
// CHECK-NEXT:    affine.for %i = 1 to 1000 {
// CHECK-NEXT:      affine.for %j = %first to %last {
// CHECK:           } {poly.loop = #poly.loop<parallel, iterator = "j">}
// CHECK-NEXT:    } {poly.loop = #poly.loop<serial, iterator = "i">}
// CHECK:       "omp.terminator"
// CHECK-NOT:   "omp.parallel"
// CHECK:       func.return
func.func @down(%A: memref<1000x1000xf64>) {
  affine.for %i = 1 to 1000 {
    affine.for %j = 0 to 1000 {
      %x = affine.load %A[%i - 1, %j] : memref<1000x1000xf64>
      %y = affine.load %A[%i, %j] : memref<1000x1000xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}

// Several side by side are shared out alike: parts of the range that holds all of theirs.

// CHECK-LABEL: func.func @side_by_side
// CHECK:       "omp.parallel"(%threads)
// CHECK:         %first, %last = team.share
// CHECK-NEXT:    affine.for %i = 1 to 1000 {
// CHECK-NEXT:      affine.for %j = max affine_map<()[s0] -> (0, s0)>()[%first] to min affine_map<()[s0, s1] -> (s0, s1)>()[%n, %last] {
// CHECK:           affine.for %j_1 = max affine_map<()[s0] -> (5, s0)>()[%first] to min affine_map<()[s0, s1] -> (s0, s1)>()[%m, %last] {
// CHECK:       "omp.terminator"
func.func @side_by_side(%A: memref<1000x?xf64>, %y: memref<?xf64>, %n: index, %m: index) {
  %A_1, %y_1 = cmem.distinct_objects %A, %y : memref<1000x?xf64>, memref<?xf64> -> memref<1000x?xf64>, memref<?xf64>
  affine.for %i = 1 to 1000 {
    affine.for %j = 0 to %n {
      %x = affine.load %A_1[%i, %j] : memref<1000x?xf64>
      %z = affine.load %y_1[%j] : memref<?xf64>
      %s = arith.addf %x, %z : f64
      affine.store %s, %y_1[%j] : memref<?xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
    affine.for %j = 5 to %m {
      %x = affine.load %A_1[%i - 1, %j] : memref<1000x?xf64>
      %z = affine.load %y_1[%j] : memref<?xf64>
      %s = arith.addf %x, %z : f64
      affine.store %s, %A_1[%i, %j] : memref<1000x?xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}

// Nobody runs all of the outer loop where an iteration of the inner one needs its neighbour of the
// row before: then threads meet after each row.

// CHECK-LABEL: func.func @neighbour
// CHECK:       "omp.parallel"
// CHECK:       affine.for %i = 1 to 1000 {
// CHECK:         "omp.wsloop"
// CHECK:           affine.for %j = %first to %last {
// CHECK:         team.barrier
func.func @neighbour(%A: memref<1000x1000xf64>) {
  affine.for %i = 1 to 1000 {
    affine.for %j = 1 to 1000 {
      %x = affine.load %A[%i - 1, %j - 1] : memref<1000x1000xf64>
      affine.store %x, %A[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}

// Nor where something is written beside it, or read there that is written in it.

// CHECK-LABEL: func.func @beside
// CHECK:       affine.for %i = 1 to 1000 {
// CHECK:         team.barrier
// CHECK:       affine.for %i_1 = 1 to 1000 {
// CHECK:         team.barrier
func.func @beside(%A: memref<1000x1000xf64>, %s: memref<1000xf64>) {
  %A_1, %s_1 = cmem.distinct_objects %A, %s : memref<1000x1000xf64>, memref<1000xf64> -> memref<1000x1000xf64>, memref<1000xf64>
  affine.for %i = 1 to 1000 {
    %f = affine.load %s_1[%i] : memref<1000xf64>
    affine.store %f, %s_1[%i - 1] : memref<1000xf64>
    affine.for %j = 0 to 1000 {
      %x = affine.load %A_1[%i - 1, %j] : memref<1000x1000xf64>
      %z = arith.mulf %x, %f : f64
      affine.store %z, %A_1[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  affine.for %i = 1 to 1000 {
    %f = affine.load %A_1[%i - 1, 7] : memref<1000x1000xf64>
    affine.for %j = 0 to 1000 {
      %x = affine.load %A_1[%i - 1, %j] : memref<1000x1000xf64>
      %z = arith.mulf %x, %f : f64
      affine.store %z, %A_1[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}

// What is read beside it and written nowhere may stay there.

// CHECK-LABEL: func.func @factor
// CHECK:       "omp.parallel"
// CHECK:         affine.for %i = 1 to 1000 {
// CHECK-NEXT:      %f = affine.load
// CHECK-NEXT:      affine.for %j = %first to %last {
func.func @factor(%A: memref<1000x1000xf64>, %s: memref<1000xf64>) {
  %A_1, %s_1 = cmem.distinct_objects %A, %s : memref<1000x1000xf64>, memref<1000xf64> -> memref<1000x1000xf64>, memref<1000xf64>
  affine.for %i = 1 to 1000 {
    %f = affine.load %s_1[%i] : memref<1000xf64>
    affine.for %j = 0 to 1000 {
      %x = affine.load %A_1[%i - 1, %j] : memref<1000x1000xf64>
      %z = arith.mulf %x, %f : f64
      affine.store %z, %A_1[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}

// Where the loops around move the range, as in the elimination of what is below a diagonal, a thread
// takes several parts, in turns.

// CHECK-LABEL: func.func @moving
// CHECK:       "omp.parallel"(%threads)
// CHECK:         "omp.wsloop"(%{{[0-9]+}})
// CHECK:           affine.for %k = 0 to 1000 {
// CHECK-NEXT:        affine.for %i = max affine_map<(d0)[s0] -> ((d0 + 1), s0)>(%k)[%first] to
func.func @moving(%A: memref<1000x1000xf64>) {
  affine.for %k = 0 to 1000 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 1000 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 1000 {
        %x = affine.load %A[%i, %k] : memref<1000x1000xf64>
        %y = affine.load %A[%i, %j] : memref<1000x1000xf64>
        %z = arith.subf %y, %x : f64
        affine.store %z, %A[%i, %j] : memref<1000x1000xf64>
      } {poly.loop = #poly.loop<parallel, iterator = "j">}
    } {poly.loop = #poly.loop<parallel, iterator = "i">}
  } {poly.loop = #poly.loop<serial, iterator = "k">}
  func.return
}

// Two subscripts may settle together which iteration an element belongs to.

// CHECK-LABEL: func.func @slanted
// CHECK:       "omp.parallel"(%threads)
// CHECK:           affine.for %i = 1 to 1000 {
// CHECK-NEXT:        affine.for %j = max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%first] to
func.func @slanted(%A: memref<1000x1000xf64>, %y: memref<1000xf64>) {
  %A_1, %y_1 = cmem.distinct_objects %A, %y : memref<1000x1000xf64>, memref<1000xf64> -> memref<1000x1000xf64>, memref<1000xf64>
  affine.for %i = 1 to 1000 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 1000 {
      %x = affine.load %A_1[%i, %j - %i] : memref<1000x1000xf64>
      %z = affine.load %y_1[%j] : memref<1000xf64>
      %s = arith.addf %x, %z : f64
      affine.store %s, %y_1[%j] : memref<1000xf64>
      affine.store %s, %A_1[%i, %j - %i] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "i">}
  func.return
}
