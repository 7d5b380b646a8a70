// RUN: polyopt-opt %s -p 'affine-parallelize{threads=2 march=x86-64-v3}' | filecheck %s

// All loops of a block have one choice in front of them: one thread runs them as they were, with
// nothing in between. First it is asked how long they take, by two comparisons of integers.

// CHECK-LABEL: func.func @neighbours
// CHECK:       %[[LONG:.*]] = arith.cmpi sgt, %n, %
// CHECK:       %[[OTHER:.*]] = arith.cmpi sgt, %m, %
// CHECK-NEXT:  %[[SOME:.*]] = arith.ori %[[LONG]], %[[OTHER]] : i1
// CHECK-NEXT:  cf.cond_br %[[SOME]], ^[[ASK:.*]], ^[[ALONE:.*]] {cmem.seldom}
// CHECK-NEXT:  ^[[ASK]]:
// CHECK:       %[[FIRST:.*]] = arith.cmpf ogt,
// CHECK:       %[[SECOND:.*]] = arith.cmpf ogt,
// CHECK:       %[[MANY:.*]] = arith.ori %[[FIRST]], %[[SECOND]] : i1
// CHECK-NEXT:  cf.cond_br %[[MANY]], ^[[THREADS:.*]], ^[[ALONE]]
// CHECK-NEXT:  ^[[THREADS]]:
// CHECK:         "omp.parallel"
// CHECK:         "omp.parallel"
// CHECK:         cf.br ^[[NEXT:.*]]
// CHECK-NEXT:  ^[[ALONE]]:
// CHECK-NEXT:    affine.for %{{.*}} = 0 to %n {
// CHECK:         } {poly.loop = #poly.loop<parallel, iterator = "i">}
// CHECK-NEXT:    affine.for %{{.*}} = 0 to %m {
// CHECK:         } {poly.loop = #poly.loop<parallel, iterator = "j">}
// CHECK-NEXT:    cf.br ^[[NEXT]]
func.func @neighbours(%A: memref<?xf64>, %n: index, %m: index) {
  cf.br ^loops
^loops:
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
    %y = arith.divf %x, %x : f64
    affine.store %y, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  affine.for %j = 0 to %m {
    %x = affine.load %A[%j] : memref<?xf64>
    %y = arith.divf %x, %x : f64
    affine.store %y, %A[%j] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "j">}
  cf.br ^end
^end:
  func.return
}

// Within a serial loop it is asked for the loop's middle, start and end whether threads are worth it;
// the loops inside ask each time.

// CHECK-LABEL: func.func @within
// CHECK-NOT:   affine.for
// CHECK-COUNT-3: arith.cmpf ogt,
// CHECK-NOT:   affine.for
// CHECK:       cf.cond_br
// CHECK:       affine.for %k
// CHECK:         arith.cmpf ogt,
// CHECK:         "omp.parallel"
// CHECK:       affine.for %k
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @within(%A: memref<?x?xf64>, %n: index) {
  affine.for %k = 0 to %n {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
        %x = affine.load %A[%k, %k] : memref<?x?xf64>
        %y = arith.divf %x, %x : f64
        affine.store %y, %A[%i, %j] : memref<?x?xf64>
      } {poly.loop = #poly.loop<parallel>}
    } {poly.loop = #poly.loop<parallel>}
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 2 {
        %x = affine.load %A[%j, %i] : memref<?x?xf64>
        affine.store %x, %A[%i, %j] : memref<?x?xf64>
      } {poly.loop = #poly.loop<serial>}
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// What is written in front of the loops goes with them: the choice that is left to one thread may still
// be the source's order, which writes it itself.

// CHECK-LABEL: func.func @written_in_front
// CHECK:       ^[[LOOPS:.*]]:
// CHECK-NOT:     affine.store
// CHECK:         cf.cond_br %{{.*}}, ^{{.*}}, ^[[JUDGE:.*]] {cmem.seldom}
// CHECK:         cf.cond_br %{{.*}}, ^[[THREADS:.*]], ^[[JUDGE]]
// CHECK-NEXT:  ^[[THREADS]]:
// CHECK:         affine.store %{{.*}}, %s[]
// CHECK:         "omp.parallel"
// CHECK:       ^[[JUDGE]]:
// CHECK-NOT:     affine.store
// CHECK:         cf.cond_br %{{.*}}, ^[[ALONE:.*]], ^[[ORIGINAL:.*]]
// CHECK-NEXT:  ^[[ALONE]]:
// CHECK:         affine.store %{{.*}}, %s[]
// CHECK:         affine.for
// CHECK:       ^[[ORIGINAL]]:
func.func @written_in_front(%A: memref<?xf64>, %s: memref<f64>, %n: index, %legal: i1) {
  %pays = poly.pays "on_trial" params(%n) {expected = array<i64: 1000>, source = array<f64: 1.0, 1.0>}
  %both = arith.andi %legal, %pays : i1
  cf.cond_br %both, ^loops, ^original
^loops:
  %old = affine.load %s[] : memref<f64>
  %new = arith.addf %old, %old : f64
  affine.store %new, %s[] : memref<f64>
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
    %y = arith.divf %x, %x : f64
    affine.store %y, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  cf.br ^end
^original:
  cf.br ^end
^end:
  func.return
}

// Whether loops of which threads may run some pay in the source's order is asked of one thread.

// CHECK-LABEL: func.func @on_trial
// CHECK-NEXT:  cf.cond_br %legal, ^[[LOOPS:.*]], ^[[ORIGINAL:.*]]
// CHECK-NEXT:  ^[[LOOPS]]:
// CHECK-NOT:     poly.pays
// CHECK:         cf.cond_br %{{.*}}, ^{{.*}}, ^[[JUDGE:.*]] {cmem.seldom}
// CHECK:         cf.cond_br %{{.*}}, ^[[THREADS:.*]], ^[[JUDGE]]
// CHECK-NEXT:  ^[[THREADS]]:
// CHECK:         "omp.parallel"
// CHECK:       ^[[JUDGE]]:
// CHECK-NEXT:    %[[PAYS:.*]] = poly.pays "on_trial" params(%n) {{.*}}source = {{.*}}, beside_threads}
// CHECK-NEXT:    cf.cond_br %[[PAYS]], ^[[ALONE:.*]], ^[[ORIGINAL]]
// CHECK-NEXT:  ^[[ALONE]]:
// CHECK-NEXT:    affine.for
// CHECK:       ^[[ORIGINAL]]:
func.func @on_trial(%A: memref<?xf64>, %n: index, %legal: i1) {
  %p = poly.pays "on_trial" params(%n) {expected = array<i64: 1000>, source = array<f64: 1.0, 1.0>}
  %both = arith.andi %legal, %p : i1
  cf.cond_br %both, ^loops, ^original
^loops:
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i] : memref<?xf64>
    %y = arith.divf %x, %x : f64
    affine.store %y, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  cf.br ^end
^original:
  cf.br ^end
^end:
  func.return
}

// Loops that are worth it whatever comes are there once, and the source's order is no choice any more.

// CHECK-LABEL: func.func @certain
// CHECK:       poly.pays "certain" params()
// CHECK-NOT:   source =
// CHECK:       "omp.parallel"
// CHECK-NOT:   affine.for
// CHECK:       ^{{.*}}:
func.func @certain(%A: memref<1000x1000xf64>) {
  %p = poly.pays "certain" params() {expected = array<i64>, source = array<f64: 1.0, 1.0>}
  cf.cond_br %p, ^loops, ^original
^loops:
  affine.for %i = 0 to 1000 {
    affine.for %j = 0 to 1000 {
      %x = affine.load %A[%i, %j] : memref<1000x1000xf64>
      %y = arith.divf %x, %x : f64
      affine.store %y, %A[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  cf.br ^end
^original:
  cf.br ^end
^end:
  func.return
}

// Where nothing is to run in threads, nothing changes.

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT:  affine.for %i = 0 to %n {
// CHECK-NOT:   cf.cond_br
// CHECK:       func.return
func.func @nothing(%A: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %A[%i - 1] : memref<?xf64>
    affine.store %x, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// Six by six is too little, wherever it begins and ends: nothing is asked.

// CHECK-LABEL: func.func @small
// CHECK-NOT:   team.available
// CHECK-NOT:   cf.cond_br
// CHECK:       func.return
func.func @small(%A: memref<?x6x6xf64>, %m: index, %k: index, %n: index) {
  affine.for %i = affine_map<()[s0] -> (s0 + 1)>()[%k] to %n {
    affine.for %j = affine_map<()[s0] -> (s0 + 1)>()[%k] to %n {
      %x = affine.load %A[%m, %i, %j] : memref<?x6x6xf64>
      %y = affine.load %A[%m, %i, %k] : memref<?x6x6xf64>
      %z = arith.divf %x, %y : f64
      affine.store %z, %A[%m, %i, %j] : memref<?x6x6xf64>
    } {poly.loop = #poly.loop<parallel, iterator = "j">}
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
