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

// What no thread of the region changes is each thread's own; a task that runs at the region's end, when
// that thread's storage is gone, has taken its value along, and so has a task in a task.

// CHECK:       func.func private @g.omp.0.task.0.task.0(%A: !llvm.ptr, %id: i32)
// CHECK:       func.func private @g.omp.0.task.0(%A: !llvm.ptr, %id: i32)
// CHECK:         "ompx.spawn"(%{{.*}}) <{callee = @g.omp.0.task.0.task.0,
// CHECK-SAME:      (!llvm.ptr, i32, i32)
// CHECK:       func.func private @g.omp.0(%member: index, %size: index, %A: !llvm.ptr)
// CHECK:         "ompx.spawn"(%{{.*}}) <{callee = @g.omp.0.task.0,
// CHECK-SAME:      (!llvm.ptr, i32, i32)
void g(int *A) {
  A++;
#pragma omp parallel
  {
    int id = A[0];
#pragma omp task shared(A)
    {
      A[id] += 2;
#pragma omp task shared(A)
      A[id] += 3;
    }
  }
}
