// RUN: polyopt-cc -fopenmp=libgomp --emit=source %s | polyopt-opt -p omp-to-teams | filecheck %s

// A loop is left for what stands behind it: the barrier that all threads of the team come to.

// CHECK-LABEL: func.func private @search.omp.0(
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         %[[SAYS:.*]] = func.call @GOMP_cancel(%{{.*}}, %{{.*}}) : (i32, i32) -> i8
// CHECK:         %[[LEAVES:.*]] = arith.cmpi ne, %[[SAYS]], %{{.*}} : i8
// CHECK:         cf.cond_br %[[LEAVES]], ^[[LEAVE:bb[0-9]+]], ^[[ON:bb[0-9]+]]
// CHECK:       ^[[LEAVE]]:
// CHECK-NEXT:    cf.br ^[[END:bb[0-9]+]]
// CHECK:       ^[[END]]:
// CHECK-NEXT:    team.barrier
void search(int *a, int n, int wanted, int *found) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
      if (a[i] == wanted) {
        *found = i;
#pragma omp cancel for
      }
    }
  }
}

// Where it is the region that is cancelled, threads leave it at its barriers, too.

// CHECK-LABEL: func.func private @stop.omp.0(
// CHECK:         func.call @GOMP_cancellation_point(%{{.*}}) : (i32) -> i8
// CHECK:         func.call @GOMP_cancel(
// CHECK-NOT:     team.barrier
// CHECK:         func.call @GOMP_barrier_cancel() : () -> i8
// CHECK:         cf.cond_br %{{.*}}, ^[[OUT:bb[0-9]+]], ^{{bb[0-9]+}}
// CHECK:       ^[[OUT]]:
// CHECK-NEXT:    func.return
// CHECK-LABEL: func.func @stop(
void stop(int *a, int n) {
#pragma omp parallel
  {
#pragma omp cancellation point parallel
#pragma omp cancel parallel if (n > 3)
#pragma omp barrier
    a[0] = n;
  }
}
