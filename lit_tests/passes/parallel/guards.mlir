// RUN: polyopt-opt %s -p affine-parallelize | filecheck %s

// Where sizes decide how much work there is, they decide at run time on the number of threads; one
// thread runs the loop as it was. Lines that a core's own caches may hold cost extra: they might have to
// go to another core.

// CHECK-LABEL: func.func @unknown
// CHECK:       %[[MOST:.*]] = team.available
// CHECK:       %[[CYCLES:.*]] = arith.mulf
// CHECK:       %[[LINES:.*]] = arith.mulf
// CHECK:       %[[MOVING:.*]] = arith.mulf %[[LINES]],
// CHECK:       %[[HELD:.*]] = arith.cmpf olt, %[[LINES]],
// CHECK:       %[[EXTRA:.*]] = arith.select %[[HELD]], %[[MOVING]],
// CHECK-NEXT:  %[[GAIN:.*]] = arith.subf %[[CYCLES]], %[[EXTRA]] : f64
// CHECK-NEXT:  %[[LEAST:.*]] = arith.constant 6.0{{.*}}e+04 : f64
// CHECK-NEXT:  %[[PAYS:.*]] = arith.cmpf ogt, %[[GAIN]], %[[LEAST]] : f64
// CHECK-NEXT:  %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT:  %[[SEVERAL:.*]] = arith.cmpi sgt, %[[MOST]], %[[ONE]] : index
// CHECK-NEXT:  %[[MANY:.*]] = arith.andi %[[SEVERAL]], %[[PAYS]] : i1
// CHECK-NEXT:  cf.cond_br %[[MANY]], ^[[THREADS:.*]], ^[[ALONE:.*]]
// CHECK-NEXT:  ^[[THREADS]]:
// CHECK:         %threads = arith.select %{{.*}}, %[[MOST]], %{{.*}} : index
// CHECK-NEXT:    "omp.parallel"(%threads)
// CHECK:         func.return
// CHECK-NEXT:  ^[[ALONE]]:
// CHECK-NEXT:    affine.for %i{{.*}} = 0 to %n {
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @unknown(%A: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// Little work stays in one thread, and so do the loops inside.

// CHECK-LABEL: func.func @little
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @little(%A: memref<100x100xf64>) {
  affine.for %i = 0 to 100 {
    affine.for %j = 0 to 100 {
      %x = affine.load %A[%i, %j] : memref<100x100xf64>
      affine.store %x, %A[%i, %j] : memref<100x100xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// Of a loop that is said to be serial, or of which nothing is known, the loops inside may run in
// threads: in one region, or each time anew where a nest as deep stands beside them.

// CHECK-LABEL: func.func @inside
// CHECK:       "omp.parallel"
// CHECK-NEXT:  affine.for %t = 0 to 50 {
// CHECK:         "omp.wsloop"
// CHECK-SAME:      nowait
// CHECK:         team.barrier
// CHECK-NEXT:  } {poly.loop = #poly.loop<serial>}
// CHECK:       affine.for %u = 0 to 50 {
// CHECK:         "omp.parallel"
func.func @inside(%A: memref<1000x1000xf64>) {
  affine.for %t = 0 to 50 {
    affine.for %i = 0 to 1000 {
      affine.for %j = 1 to 1000 {
        %x = affine.load %A[%j, %j - 1] : memref<1000x1000xf64>
        affine.store %x, %A[%i, %j] : memref<1000x1000xf64>
      } {poly.loop = #poly.loop<serial>}
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  affine.for %u = 0 to 50 {
    affine.for %i = 0 to 1000 {
      affine.for %j = 1 to 1000 {
        %x = affine.load %A[%j, %j - 1] : memref<1000x1000xf64>
        affine.store %x, %A[%i, %j] : memref<1000x1000xf64>
      }
    } {poly.loop = #poly.loop<parallel>}
    affine.for %i = 0 to 10 {
      affine.for %j = 1 to 10 {
        %x = affine.load %A[%j, %j - 1] : memref<1000x1000xf64>
        affine.store %x, %A[%i, %j] : memref<1000x1000xf64>
      }
    }
  }
  func.return
}

// A function that is to stay as it was written does.

// CHECK-LABEL: func.func @as_written
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @as_written(%A: memref<1000000xf64>) attributes {cmem.as_written} {
  affine.for %i = 0 to 1000000 {
    %x = affine.load %A[%i] : memref<1000000xf64>
    affine.store %x, %A[%i] : memref<1000000xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
