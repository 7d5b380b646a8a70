// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4}' | filecheck %s

// Rows that go on a step behind the row before are handed out in turns; each step waits for that row,
// and says when it is done. As a step is part of a row in memory, behind whose end its core fetches 20
// lines, the row before is 16 steps of 10 numbers further, or what is little beside all of them, and an
// eighth of a row.

// CHECK-LABEL: func.func @tiles
// CHECK:       %[[AHEAD:.*]] = arith.constant 16 : index
// CHECK-NEXT:  %[[STEPS:.*]] = arith.minsi %{{.*}}, %[[AHEAD]]
// CHECK-NEXT:  %[[STEP:.*]] = arith.constant 10 : index
// CHECK-NEXT:  %[[APART:.*]] = arith.muli %[[STEPS]], %[[STEP]]
// CHECK:       %progress = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?x8xi64>
// CHECK:       "omp.parallel"
// CHECK:         "omp.wsloop"(%[[ONE:.*]]) <{
// CHECK:           %[[EIGHTH:.*]] = arith.constant 125 : index
// CHECK-NEXT:      %[[HERE:.*]] = arith.minsi %[[APART]], %[[EIGHTH]]
// CHECK:           affine.for %t =
// CHECK-NEXT:        affine.for %i = 0 to 1000 step 10 {
// CHECK:               %[[AND_ONE:.*]] = arith.addi %[[HERE]],
// CHECK:               %[[PASSED:.*]] = arith.addi %i, %[[AND_ONE]]
// CHECK:               team.wait %progress[%part, %{{.*}}], %[[PASSED]]
// CHECK:               affine.store
// CHECK:               %[[REACHED:.*]] = arith.addi %i,
// CHECK:               team.post %progress[%[[NEXT:.*]], %{{.*}}], %[[REACHED]]
// CHECK:           team.wait %progress[%part,
// CHECK-NEXT:      team.post %progress[%[[NEXT]],
// CHECK:       memref.dealloc %progress
func.func @tiles(%A: memref<100x1010xf64>) {
  affine.for %t = 1 to 100 {
    affine.for %i = 0 to 1000 step 10 {
      affine.for %j = 0 to 1000 {
        affine.for %k = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 10)>(%i) {
          %x = affine.load %A[%t - 1, %k] : memref<100x1010xf64>
          affine.store %x, %A[%t, %k] : memref<100x1010xf64>
        }
      }
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<pipeline, iterator = "t">}
  func.return
}

// Steps that are rows of their own follow right behind the row before.

// CHECK-LABEL: func.func @down
// CHECK-NOT:   arith.minsi
// CHECK:       "omp.parallel"
// CHECK:             affine.for %i = 0 to 1000 step 10 {
// CHECK-NEXT:          %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT:          %[[PASSED:.*]] = arith.addi %i, %[[ONE]]
// CHECK:               team.wait %progress[%part, %{{.*}}], %[[PASSED]]
func.func @down(%A: memref<1010x100xf64>) {
  affine.for %t = 1 to 100 {
    affine.for %i = 0 to 1000 step 10 {
      affine.for %j = 0 to 1000 {
        affine.for %k = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 10)>(%i) {
          %x = affine.load %A[%k, %t - 1] : memref<1010x100xf64>
          affine.store %x, %A[%k, %t] : memref<1010x100xf64>
        }
      }
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<pipeline, iterator = "t">}
  func.return
}

// Steps that take less than the waiting are left in one thread.

// CHECK-LABEL: func.func @small_steps
// CHECK-NOT:   omp.
// CHECK:       func.return
func.func @small_steps(%A: memref<1000x1000xf64>) {
  affine.for %i = 1 to 1000 {
    affine.for %j = 1 to 1000 {
      %x = affine.load %A[%i - 1, %j] : memref<1000x1000xf64>
      %y = affine.load %A[%i, %j - 1] : memref<1000x1000xf64>
      %z = arith.addf %x, %y : f64
      affine.store %z, %A[%i, %j] : memref<1000x1000xf64>
    } {poly.loop = #poly.loop<serial>}
  } {poly.loop = #poly.loop<pipeline, iterator = "i">}
  func.return
}
