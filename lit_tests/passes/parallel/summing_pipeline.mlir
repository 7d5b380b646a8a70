// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4 least=0}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4 least=0 deterministic=true}' | filecheck %s --check-prefix=SAME
// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4 least=0},affine-to-scf,omp-outline' | filecheck %s --check-prefix=TEAM

// A pipeline whose rows update elements in another order besides: rounds of as many rows as there are
// copies, so that row k has copy k mod 4 whoever runs it; when all rows are done, copies are combined.

// CHECK-LABEL: func.func @diagonals
// CHECK:       %progress = memref.alloc
// CHECK:       %copies = memref.alloc(%threads,
// CHECK:       "omp.parallel"
// CHECK:         affine.store %{{.*}}, %copies[%part,
// CHECK:         scf.for %[[BASE:.*]] = %{{.*}} to %[[ROWS:.*]] step %threads {
// CHECK:           %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[BASE]]
// CHECK:           %[[HERE:.*]] = arith.minsi %threads, %[[LEFT]]
// CHECK:           "omp.wsloop"
// CHECK-SAME:        nowait
// CHECK:             "omp.loop_nest"(%{{.*}}, %[[HERE]], %{{.*}}) ({
// CHECK-NEXT:        ^bb{{[0-9]+}}(%[[LANE:.*]]: index):
// CHECK:               %[[ROW:.*]] = arith.addi %[[BASE]], %[[LANE]]
// CHECK:               team.wait %progress[%[[ROW]],
// CHECK:               affine.store %{{.*}}, %A[
// CHECK:               affine.load %copies[%[[LANE]], %i + %j
// CHECK:               team.post %progress
// CHECK:         team.barrier
// CHECK:         "omp.wsloop"
// CHECK:           affine.load %y
// CHECK-NEXT:      affine.load %copies
// CHECK:       memref.dealloc %copies
// CHECK:       memref.dealloc %progress

// Sums that are to be the same for any number of threads have 32 copies, and rounds of 32 rows.

// SAME-LABEL: func.func @diagonals
// SAME:       %[[LANES:.*]] = arith.constant 32 : index
// SAME:       scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[LANES]] {

// Each member has every s-th row of a round, and waits for nobody at its end.

// TEAM-LABEL: func.func private @diagonals.team0(%member: index, %size: index
// TEAM:       scf.for %[[BASE:.*]] =
// TEAM:         scf.for %{{.*}} = %member to %{{.*}} step %size {
// TEAM-NOT:     team.take %arrivals
// TEAM:         team.post
// TEAM-NOT:     scf.for
// TEAM:       team.take %arrivals
// TEAM:       scf.for
func.func @diagonals(%A: memref<100x100xf64>) {
  %y = memref.alloc() : memref<200xf64>
  affine.for %i = 1 to 100 {
    affine.for %j = 1 to 100 {
      %a = affine.load %A[%i - 1, %j] : memref<100x100xf64>
      %b = affine.load %A[%i, %j - 1] : memref<100x100xf64>
      %c = arith.addf %a, %b : f64
      affine.store %c, %A[%i, %j] : memref<100x100xf64>
      %s = affine.load %y[%i + %j] : memref<200xf64>
      %t = arith.addf %s, %c : f64
      affine.store %t, %y[%i + %j] : memref<200xf64>
    } {poly.loop = #poly.loop<serial, iterator = "j">}
  } {poly.loop = #poly.loop<pipeline, reduces = ["y"], iterator = "i">}
  func.return
}

// What is updated is read besides: no copy would do.

// CHECK-LABEL: func.func @read_besides
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @read_besides(%A: memref<100x100xf64>) {
  %y = memref.alloc() : memref<200xf64>
  affine.for %i = 1 to 100 {
    affine.for %j = 1 to 100 {
      %a = affine.load %A[%i - 1, %j] : memref<100x100xf64>
      %s = affine.load %y[%i + %j] : memref<200xf64>
      %t = arith.addf %s, %a : f64
      affine.store %t, %y[%i + %j] : memref<200xf64>
      %u = affine.load %y[%i + %j - 1] : memref<200xf64>
      affine.store %u, %A[%i, %j] : memref<100x100xf64>
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<pipeline, reduces = ["y"], iterator = "i">}
  func.return
}

// Updates of two kinds do not commute.

// CHECK-LABEL: func.func @two_operators
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @two_operators(%A: memref<100x100xf64>) {
  %y = memref.alloc() : memref<200xf64>
  affine.for %i = 1 to 100 {
    affine.for %j = 1 to 100 {
      %a = affine.load %A[%i - 1, %j] : memref<100x100xf64>
      affine.store %a, %A[%i, %j] : memref<100x100xf64>
      %s = affine.load %y[%i + %j] : memref<200xf64>
      %t = arith.addf %s, %a : f64
      affine.store %t, %y[%i + %j] : memref<200xf64>
      %p = affine.load %y[%i + %j] : memref<200xf64>
      %q = arith.mulf %p, %a : f64
      affine.store %q, %y[%i + %j] : memref<200xf64>
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<pipeline, reduces = ["y"], iterator = "i">}
  func.return
}

// Two loops in a row: a step of which would one wait for?

// CHECK-LABEL: func.func @two_inside
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @two_inside(%A: memref<100x100xf64>) {
  %y = memref.alloc() : memref<200xf64>
  affine.for %i = 1 to 100 {
    affine.for %j = 1 to 100 {
      %a = affine.load %A[%i - 1, %j] : memref<100x100xf64>
      affine.store %a, %A[%i, %j] : memref<100x100xf64>
    } {poly.loop = #poly.loop<serial>}
    affine.for %j = 1 to 100 {
      %a = affine.load %A[%i, %j] : memref<100x100xf64>
      %s = affine.load %y[%i + %j] : memref<200xf64>
      %t = arith.addf %s, %a : f64
      affine.store %t, %y[%i + %j] : memref<200xf64>
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<pipeline, reduces = ["y"], iterator = "i">}
  func.return
}

// A scalar has a cache line for each lane, and one thread combines them; rows may be none.

// CHECK-LABEL: func.func @scalar_of_some_rows
// CHECK:       arith.maxsi
// CHECK:       %copies = memref.alloc(%{{.*}}, %{{.*}}) {alignment = 64 : i64} : memref<?x?xi64>
// CHECK:       affine.store %{{.*}}, %copies[%part, 0]
// CHECK:       team.barrier
// CHECK-NEXT:  "omp.terminator"
// CHECK:       arith.addi
func.func @scalar_of_some_rows(%A: memref<100x100xi64>, %n: index) {
  %s = memref.alloca() : memref<i64>
  affine.for %i = 1 to %n {
    affine.for %j = 1 to 100 {
      %a = affine.load %A[%i - 1, %j] : memref<100x100xi64>
      %b = affine.load %A[%i, %j - 1] : memref<100x100xi64>
      %c = arith.addi %a, %b : i64
      affine.store %c, %A[%i, %j] : memref<100x100xi64>
      %p = affine.load %s[] : memref<i64>
      %q = arith.addi %p, %c : i64
      affine.store %q, %s[] : memref<i64>
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<pipeline, reduces = ["s"], iterator = "i">}
  func.return
}
