// RUN: polyopt-cc -O2 --poly=identity -ffast-math --emit=affine %s --distribute=4 | filecheck %s
// RUN: polyopt-cc -O2 --poly=identity -ffast-math -fparallel-deterministic --emit=affine %s --distribute=4 | filecheck %s --check-prefix=ORDER
// RUN: polyopt-cc -O2 --poly=identity -ffast-math -c -o %t.o %s --distribute=4 --remarks 2>&1 | filecheck %s --check-prefix=FAST
// RUN: polyopt-cc -O2 --poly=identity -c -o %t.o %s --distribute=4 --remarks 2>&1 | filecheck %s --check-prefix=STRICT

// A sum that may be computed in another order is made of sums of chunks, which are placed like any
// array. What a process has of them MPI adds up, and one process adds that to the sum; where the bits
// have to be the same for any number of processes, chunks are sent, and added up one by one. Below 64
// chunks (of 4096 terms), no process says anything.

// CHECK-LABEL: func.func @total
// CHECK:       %[[enough:.*]] = arith.cmpi {{.*}}
// CHECK:       scf.if %[[enough]] {
// CHECK:         %parts = memref.alloc
// CHECK:         func.call @__polyopt_mpi_agree
// CHECK:         affine.for %[[chunk:.*]] = %own_first0 to %own_end0 {
// CHECK:           affine.store %{{.*}}, %parts[%[[chunk]]]
// CHECK:         affine.for %[[chunk:.*]] = %own_first0 to %own_end0 {
// CHECK:           affine.for %i{{.*}} = {{.*}}(%[[chunk]]) to min {{.*}}(%[[chunk]])
// CHECK:             affine.load %parts[%[[chunk]]]
// CHECK:         memref.store %{{.*}}, %[[mine:.*]][] : memref<f64>
// CHECK:         memref.load %parts
// CHECK:         memref.load %[[mine]][]
// CHECK:         arith.addf
// CHECK-NOT:     isend
// CHECK:         "mpi.allreduce"(%{{.*}}) <{operationtype = !mpi.operation<"MPI_SUM">}>
// CHECK-NOT:     isend
// CHECK:         arith.select
// CHECK-NEXT:    memref.store %{{.*}}, %parts
// CHECK:         affine.for
// CHECK:           affine.load %parts
// CHECK:           affine.store %{{.*}}, %sum[]
// CHECK:         memref.dealloc %parts
// CHECK:       } else {
// CHECK-NOT:     mpi
// CHECK:         affine.for %i{{.*}} = 0 to
// CHECK-NOT:   mpi
// CHECK:       func.return
// ORDER-LABEL: func.func @total
// ORDER-NOT:   allreduce
// ORDER:       memref.load %parts
// ORDER:       "mpi.isend"
// ORDER-NOT:   allreduce
double total(int n, double A[n], double B[n]) {
  double sum = 1;
  // FAST: applied: 4 processes share 'total'
  // STRICT: missed: each process computes all of 'total': telling all of them
  for (int i = 0; i < n; i++) sum += A[i] * B[i];
  return sum;
}

// 16 rows of a nest are a chunk; what counts rows is still there.
// CHECK-LABEL: func.func @weighed
// CHECK:       affine.for %{{.*}} = {{.*}} * 16)
// CHECK:       "mpi.allreduce"
float weighed(int n, int m, float A[n][m]) {
  float sum = 0;
  // FAST: applied: 4 processes share 'weighed'
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) sum -= A[i][j] * i;
  return sum;
}

// A part of a sum of integers may overflow where the sum does not: it wraps around, and the sum is what
// it was. That is no other order for anyone to see, so it needs no permission.
// CHECK-LABEL: func.func @whole
// CHECK:       affine.load %parts
// CHECK-NEXT:  arith.addi %{{.*}}, %{{[^ ]*}} : i32
// CHECK:       "mpi.get_dtype"() <{dtype = ui32}>
// CHECK:       "mpi.allreduce"
int whole(int n, int A[n]) {
  int sum = 0;
  // FAST: applied: 4 processes share 'whole'
  // STRICT: applied: 4 processes share 'whole'
  for (int i = 0; i < n; i++) sum += A[i];
  return sum;
}

// What counts begins below 0: there is no chunk -1.
double below(int n, double *A) {
  double sum = 0;
  // FAST: missed: each process computes all of 'below': telling all of them
  for (int i = -3; i < n; i++) sum += A[i + 3];
  return sum;
}

// Two in one loop stay in one loop.
// CHECK-LABEL: func.func @two
// CHECK:       %parts = memref.alloc
// CHECK:       %parts_1 = memref.alloc
// CHECK:       affine.for %{{.*}} = %own_first
// CHECK:         affine.for %i
// CHECK:           affine.store %{{.*}}, %parts
// CHECK:           affine.store %{{.*}}, %parts
// CHECK:       "mpi.allreduce"
// CHECK:       "mpi.allreduce"
double two(int n, double A[n], double *other) {
  double sum = 0, squares = 0;
  // FAST: applied: 4 processes share 'two'
  for (int i = 0; i < n; i++) {
    sum += A[i];
    squares += A[i] * A[i];
  }
  *other = squares;
  return sum;
}

// In each step of time there is one; who has too few chunks shares the rest as before.
// CHECK-LABEL: func.func @residual
// CHECK:       scf.if
// CHECK:         memref.alloc
// CHECK:         scf.for %step
// CHECK:           affine.store %{{.*}}, %parts
// CHECK:       } else {
// CHECK:         func.call @__polyopt_mpi_agree
// CHECK:         scf.for %step
double residual(int n, int steps, double *restrict A, double *restrict B) {
  double last = 0, all = 0;
  // FAST: applied: 4 processes share 'residual'
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] - A[i + 1];
    for (int i = 1; i < n - 1; i++) A[i] -= B[i];
    last = 0;
    for (int i = 1; i < n - 1; i++) last += B[i] * B[i];
    all += last * t;
  }
  return all;
}

// The least of all: MPI says nothing of NaNs and of zeros with signs, which are none here.
// CHECK-LABEL: func.func @least
// CHECK:       "mpi.allreduce"(%{{.*}}) <{operationtype = !mpi.operation<"MPI_MIN">}>
double least(int n, double A[n]) {
  double most = 9;
  // FAST: applied: 4 processes share 'least'
  for (int i = 0; i < n; i++) most = A[i] < most ? A[i] : most;
  return most;
}

// What one adds up the other one reads: none is in parts.
double prefix(int n, double A[n], double *last) {
  double sum = 0, sums = 0;
  // FAST: missed: each process computes all of 'prefix': telling all of them
  for (int i = 0; i < n; i++) {
    sum += A[i];
    sums += sum;
  }
  *last = sum;
  return sums;
}
