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

// A task is told which places it follows, first those that it writes to; a section begins at its first
// element. A loop of tasks is a loop that makes them, and waits for them.

// CHECK:       func.func private @depends.task.0
// CHECK:       func.func @depends
// CHECK:         %[[AT:[0-9]+]] = cmem.address %{{.*}}[%{{.*}}] : memref<?xi32>
// CHECK:         %[[X:[0-9]+]] = cmem.address %x[]
// CHECK:         "ompx.spawn"(%x, %{{.*}}, %[[X]], %[[AT]]) <{callee = @depends.task.0, operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}>
// CHECK:         func.call @GOMP_taskgroup_start
// CHECK:         "ompx.spawn"
// CHECK-SAME:      callee = @depends.task.1,
// CHECK:         func.call @GOMP_taskgroup_end
void depends(int *A, int n) {
  int x = 0;
#pragma omp task depend(in : A[n : 2]) depend(out : x) shared(x)
  x = 1;
#pragma omp taskloop
  for (int i = 0; i < n; i++)
    A[i] = i;
}
