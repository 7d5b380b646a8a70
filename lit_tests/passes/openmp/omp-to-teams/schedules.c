// RUN: polyopt-cc -fopenmp=libgomp --emit=source %s | polyopt-opt -p omp-to-teams | filecheck %s

// Chunks in turns are computed; all others are dealt out by the runtime, by the schedule's name.

// CHECK-LABEL: @turns.omp.0
// CHECK-NOT:     GOMP_loop
// CHECK:         cf.br ^[[HEADER:bb[0-9]+]](%{{.*}} : i64)
// CHECK:       ^[[HEADER]](%[[START:.*]]: i64):
// CHECK:         arith.minsi
// CHECK:         %[[NEXT:.*]] = arith.addi %[[START]], %{{.*}} : i64
// CHECK-NEXT:    cf.br ^[[HEADER]](%[[NEXT]] : i64)
// CHECK-LABEL: @turns(
void turns(int n, int *a) {
#pragma omp parallel for schedule(static, 4)
  for (int i = 0; i < n; i++) a[i] = i;
}

// CHECK-LABEL: @guided.omp.0
// CHECK:         func.call @GOMP_loop_guided_start(
// CHECK:         func.call @GOMP_loop_guided_next(
// CHECK:         func.call @GOMP_loop_end_nowait()
void guided(int n, int *a) {
#pragma omp parallel for schedule(guided, 2)
  for (int i = 0; i < n; i++) a[i] = i;
}

// A loop that no parallel region is around asks who runs it; its end is a barrier.
// CHECK-LABEL: func.func @orphan(
// CHECK:         func.call @omp_get_thread_num()
// CHECK:         func.call @omp_get_num_threads()
// CHECK:         team.barrier
void orphan(int n, int *a) {
#pragma omp for
  for (int i = 0; i < n; i++) a[i] = i;
}

// CHECK-LABEL: func.func @ordered(
// CHECK:         func.call @GOMP_loop_ordered_static_start(
// CHECK:         func.call @GOMP_ordered_start()
// CHECK:         func.call @GOMP_ordered_end()
// CHECK:         func.call @GOMP_loop_end()
void ordered(int n, int *a) {
#pragma omp for ordered
  for (int i = 0; i < n; i++) {
#pragma omp ordered
    a[0] += i;
  }
}
