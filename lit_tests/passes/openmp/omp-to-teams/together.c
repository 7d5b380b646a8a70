// RUN: polyopt-cc -fopenmp=libgomp --emit=source %s | polyopt-opt -p omp-to-teams | filecheck %s

// Regions that are no functions go into the blocks around them, between branches and calls.

// CHECK:       cmem.global "common" @".gomp_critical_user_name" size 32 align 8
// CHECK-LABEL: func.func @all(
// CHECK:         func.call @GOMP_critical_name_start(
// CHECK:         func.call @GOMP_critical_name_end(
// CHECK:         func.call @GOMP_single_start() : () -> i8
// CHECK:         team.barrier
// CHECK:         func.call @omp_get_thread_num() : () -> i32
// CHECK:         func.call @GOMP_sections_start(
// CHECK:         cf.switch
// CHECK:         func.call @GOMP_sections_next()
// CHECK:         func.call @GOMP_sections_end_nowait()
// CHECK:         ompx.fetch "add"
// CHECK:         ompx.atomic_read
// CHECK:         ompx.compare_exchange
// CHECK-NOT:     omp.
int all(int n, double *x) {
#pragma omp critical(name)
  n++;
#pragma omp single
  n++;
#pragma omp master
  n++;
#pragma omp sections nowait
  {
#pragma omp section
    n++;
#pragma omp section
    n--;
  }
#pragma omp atomic
  n += 2;
#pragma omp atomic
  x[0] *= 2;
  return n;
}
