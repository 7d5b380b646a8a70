// RUN: polyopt-cc -fopenmp=libgomp --emit=source %s | polyopt-opt -p omp-to-teams | filecheck %s

// Iterations go by their numbers, those of loops further in among them; one that there is not is not
// waited for. A thread that is alone waits for nothing.

// CHECK-LABEL: func.func private @relax.omp.0(
// CHECK:         %[[COUNTS:.*]] = memref.alloca() : memref<2xi64>
// CHECK:         func.call @GOMP_loop_doacross_static_start(
// CHECK-SAME:      (i32, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i8
// CHECK:         %[[ALONE:.*]] = arith.cmpi sle
// CHECK-NEXT:    cf.cond_br %[[ALONE]]
// CHECK:         cmem.call_variadic @GOMP_doacross_wait
// CHECK:         func.call @GOMP_doacross_post(%{{.*}}) : (!llvm.ptr) -> ()
// CHECK:         func.call @GOMP_loop_static_next(
// CHECK:         func.call @GOMP_loop_end() : () -> ()
void relax(int n, double a[n][n]) {
#pragma omp parallel
#pragma omp for ordered(2)
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j)
      a[i][j] += a[i - 1][j];
#pragma omp ordered depend(source)
    }
}

// A loop that is ordered in another way has no numbers.

// CHECK-LABEL: func.func private @in_order.omp.0(
// CHECK-NOT:     doacross
// CHECK:         func.call @GOMP_loop_ordered_static_start(
// CHECK-LABEL: func.func @in_order(
void in_order(int n, double *s, double *a) {
#pragma omp parallel
#pragma omp for ordered
  for (int i = 0; i < n; i++) {
#pragma omp ordered
    *s += a[i];
  }
}
