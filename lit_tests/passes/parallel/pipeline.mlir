// RUN: polyopt-opt %s -p 'affine-parallelize{threads=4}' | filecheck %s

// Rows that go on a step behind the row before are handed out in turns; each step waits for that row,
// and says when it is done.

// CHECK-LABEL: func.func @tiles
// CHECK:       %progress = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?x8xi64>
// CHECK:       "omp.parallel"
// CHECK:         "omp.wsloop"(%[[ONE:.*]]) <{
// CHECK:           affine.for %t =
// CHECK-NEXT:        affine.for %i = 0 to 1000 step 10 {
// CHECK:               %[[PASSED:.*]] = arith.addi %i,
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
