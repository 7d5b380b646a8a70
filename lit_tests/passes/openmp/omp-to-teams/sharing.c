// RUN: polyopt-cc -fopenmp=libgomp --emit=source %s | polyopt-opt -p omp-to-teams | filecheck %s

// What no thread changes is taken by value, before the team is there; what one changes, by place.
// Storage that is shared stands for different objects, and is not noalias: others write to it.

// CHECK-LABEL: func.func private @f.omp.0(%member: index, %size: index, %limit: i32, %sum: memref<i32>, %most: memref<i32>)
// CHECK:         cmem.distinct_objects %sum, %most
// CHECK:         func.call @GOMP_atomic_start() : () -> ()
// CHECK:         func.call @GOMP_atomic_end() : () -> ()
// CHECK-LABEL: func.func @f(
// CHECK:         %[[LIMIT:limit_2]] = memref.load %limit[] : memref<i32>
// CHECK:         team.fork @f.omp.0(%[[LIMIT]], %sum, %most)
int f(int n) {
  int limit = 2 * n, sum = 0, most = 0;
  limit += 3;
#pragma omp parallel reduction(+ : sum) reduction(max : most)
  {
    sum += limit;
    most = limit;
  }
  return sum + most;
}

// A pointer that is restrict stays so where no thread waits for another.
// CHECK-LABEL: func.func private @waits.omp.0(%member: index, %size: index, %a: !llvm.ptr)
// CHECK:         team.barrier
void waits(double *restrict a) {
#pragma omp parallel
  {
    a[0] = 1;
#pragma omp barrier
    a[1] = a[0];
  }
}
