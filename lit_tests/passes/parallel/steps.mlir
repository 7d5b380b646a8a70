// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4 march=x86-64-v3}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-parallelize{march=x86-64-v3}' | filecheck %s --check-prefix=ANY
// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4 march=x86-64-v3},omp-outline' | filecheck %s --check-prefix=OUT

// A step is a row of phases in one region: a loop that is shared out, one that another member's part
// of it feeds, behind a meeting, and what one member writes. All meet at the step's end.

// CHECK-LABEL: func.func @elimination
// CHECK:       "omp.parallel"(%threads)
// CHECK:       affine.for %k = 0 to 2000 {
// CHECK:         "omp.wsloop"
// CHECK-SAME:      nowait
// CHECK:           %first, %last = team.share
// CHECK-NEXT:      affine.for %i = max affine_map<(d0)[s0] -> ((d0 + 1), s0)>(%k)[%first] to %last {
// CHECK-NOT:     team.barrier
// CHECK:           affine.for %j
// CHECK:         team.barrier
// CHECK:         "omp.wsloop"
// CHECK:           affine.store %{{.*}}, %s
// CHECK:         team.barrier
// CHECK-NEXT:  } {poly.loop = #poly.loop<serial, iterator = "k">}
// CHECK:       "omp.terminator"

// Whoever is alone meets nobody.

// OUT-LABEL: func.func private @elimination.team0
// OUT:       affine.for %k
// OUT:         scf.if
// OUT:           team.take

// Whether it is worth it depends on how many there are, as far as nobody has said.

// ANY-LABEL: func.func @elimination
// ANY:       %[[T:.*]] = team.available
// ANY:       arith.divf
// ANY:       arith.cmpf ogt,
// ANY:       "omp.parallel"
func.func @elimination(%A: memref<2000x2000xf64>, %s: memref<2000xf64>) {
  %A_1, %s_1 = cmem.distinct_objects %A, %s : memref<2000x2000xf64>, memref<2000xf64> -> memref<2000x2000xf64>, memref<2000xf64>
  affine.for %k = 0 to 2000 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 2000 {
      affine.for %j = 0 to 2000 {
        %x = affine.load %A_1[%k, %j] : memref<2000x2000xf64>
        %y = affine.load %A_1[%i, %j] : memref<2000x2000xf64>
        %z = arith.subf %y, %x : f64
        affine.store %z, %A_1[%i, %j] : memref<2000x2000xf64>
      } {poly.loop = #poly.loop<serial, iterator = "j">}
    } {poly.loop = #poly.loop<parallel, iterator = "i">}
    %d = affine.load %A_1[%k + 1, 7] : memref<2000x2000xf64>
    affine.store %d, %s_1[%k] : memref<2000xf64>
  } {poly.loop = #poly.loop<serial, iterator = "k">}
  func.return
}

// What is little against the meetings stays in one thread.

// CHECK-LABEL: func.func @little
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @little(%A: memref<100x100xf64>) {
  affine.for %k = 0 to 100000 {
    affine.for %i = 0 to 100 {
      %x = affine.load %A[7, %i] : memref<100x100xf64>
      affine.store %x, %A[%i, 7] : memref<100x100xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "i">}
  } {poly.loop = #poly.loop<serial, iterator = "k">}
  func.return
}

// Between loops of which iteration i depends on iteration i alone nobody meets.

// CHECK-LABEL: func.func @together
// CHECK:       "omp.parallel"(%threads)
// CHECK:       affine.for %k = 0 to 50 {
// CHECK:         "omp.wsloop"
// CHECK:           affine.for %i = %first to %last {
// CHECK-NOT:     team.barrier
// CHECK:           affine.for %i_1 = %first to %last {
// CHECK:         team.barrier
// CHECK:           affine.store %c
// CHECK:         team.barrier
// CHECK-NEXT:  } {poly.loop = #poly.loop<serial, iterator = "k">}
func.func @together(%A: memref<100000xf64>, %B: memref<100000xf64>) {
  %c = arith.constant 1.0 : f64
  %A_1, %B_1 = cmem.distinct_objects %A, %B : memref<100000xf64>, memref<100000xf64> -> memref<100000xf64>, memref<100000xf64>
  affine.for %k = 0 to 50 {
    affine.for %i = 0 to 100000 {
      %x = affine.load %A_1[%i] : memref<100000xf64>
      affine.store %x, %B_1[%i] : memref<100000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "i">}
    affine.for %i = 0 to 100000 {
      %x = affine.load %B_1[%i] : memref<100000xf64>
      %y = affine.load %A_1[%k] : memref<100000xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %B_1[%i] : memref<100000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "i">}
    affine.store %c, %A_1[%k + 50] : memref<100000xf64>
  } {poly.loop = #poly.loop<serial, iterator = "k">}
  func.return
}

// Rows at the border are one member's, where all else is shared out by rows: each thread finds what it
// has left. Shared out by columns, they would send all of the array from core to core.

// CHECK-LABEL: func.func @borders
// CHECK:       "omp.parallel"(%threads)
// CHECK:       affine.for %k = 0 to 50 {
// CHECK:           affine.for %i = %first to %last {
// CHECK:         team.barrier
// CHECK-NOT:       team.share
// CHECK:           affine.for %j_1 = 0 to 1000 {
// CHECK:         team.barrier
// CHECK:           affine.for %l = %first_1 to %last_1 {
// CHECK:         team.barrier
// CHECK:           affine.for %m = 0 to 1000 {
// CHECK:         team.barrier
// CHECK-NEXT:  } {poly.loop = #poly.loop<serial, iterator = "k">}
func.func @borders(%A: memref<1000x1000xf64>) {
  %c = arith.constant 3.0 : f64
  affine.for %k = 0 to 50 {
    affine.for %i = 1 to 999 {
      affine.for %j = 1 to 999 {
        %x = affine.load %A[%i, %j] : memref<1000x1000xf64>
        %y = arith.divf %x, %c : f64
        affine.store %y, %A[%i, %j] : memref<1000x1000xf64>
      } {poly.loop = #poly.loop<parallel, iterator = "j">}
    } {poly.loop = #poly.loop<parallel, iterator = "i">}
    affine.for %j = 0 to 1000 {
      %x = affine.load %A[1, %j] : memref<1000x1000xf64>
      affine.store %x, %A[0, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
    affine.for %l = 0 to 1000 {
      %x = affine.load %A[%l, 1] : memref<1000x1000xf64>
      affine.store %x, %A[%l, 0] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "l">}
    affine.for %m = 0 to 1000 {
      affine.store %c, %A[999, %m] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "m">}
  } {poly.loop = #poly.loop<serial, iterator = "k">}
  func.return
}

// A row that is all there is beside what is shared out along rows is shared out, too.

// CHECK-LABEL: func.func @along_rows
// CHECK:       "omp.parallel"(%threads)
// CHECK-COUNT-2: team.share
// CHECK:       func.return
func.func @along_rows(%A: memref<100x40000xf64>) {
  %c = arith.constant 3.0 : f64
  affine.for %k = 0 to 50 {
    affine.for %j = 0 to 40000 {
      affine.for %i = 1 to 100 {
        %x = affine.load %A[%i - 1, %j] : memref<100x40000xf64>
        %y = arith.divf %x, %c : f64
        affine.store %y, %A[%i, %j] : memref<100x40000xf64>
      } {poly.loop = #poly.loop<serial, iterator = "i">}
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
    affine.for %j = 1 to 39999 {
      %x = affine.load %A[99, %j - 1] : memref<100x40000xf64>
      affine.store %x, %A[0, %j] : memref<100x40000xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<serial, iterator = "k">}
  func.return
}

// A call may do anything.

// CHECK-LABEL: func.func @call
// CHECK:       affine.for %k = 0 to 50 {
// CHECK:         "omp.parallel"
func.func private @anything()
func.func @call(%A: memref<1000x1000xf64>) {
  affine.for %k = 0 to 50 {
    affine.for %i = 0 to 1000 {
      affine.for %j = 1 to 1000 {
        %x = affine.load %A[%j, %j - 1] : memref<1000x1000xf64>
        affine.store %x, %A[%i, %j] : memref<1000x1000xf64>
      } {poly.loop = #poly.loop<serial>}
    } {poly.loop = #poly.loop<parallel>}
    func.call @anything() : () -> ()
  } {poly.loop = #poly.loop<serial>}
  func.return
}
