// RUN: polyopt-cc -fopenmp=libgomp --emit=source %s | polyopt-opt -p omp-to-teams | filecheck %s

// A task is a function of what it takes along: values as they are when it is met, shared variables
// by their place.

// CHECK-LABEL: func.func private @f.task.0(%n: i32, %x: memref<i32>)
// CHECK:         memref.store %{{.*}}, %x[] : memref<i32>
// CHECK-LABEL: func.func @f(
// CHECK:         %[[N:n_3]] = memref.load %n_1[] : memref<i32>
// CHECK:         "ompx.spawn"(%[[N]], %x, %{{.*}}) <{callee = @f.task.0
// CHECK:         func.call @GOMP_taskwait() : () -> ()
int f(int n) {
  int x;
  n++;
#pragma omp task shared(x)
  x = n;
#pragma omp taskwait
  return x;
}
