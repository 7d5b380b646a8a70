// RUN: polyopt-cc -O2 --poly=identity -ffast-math --emit=affine %s --distribute=4 | filecheck %s
// RUN: polyopt-cc -O2 --poly=identity -ffast-math -c -o %t.o %s --distribute=4 --remarks 2>&1 | filecheck %s --check-prefix=FAST
// RUN: polyopt-cc -O2 --poly=identity -c -o %t.o %s --distribute=4 --remarks 2>&1 | filecheck %s --check-prefix=STRICT

// A sum that may be computed in another order is made of sums of chunks, which are placed and sent
// like any array. Below 64 chunks (of 4096 terms), no process says anything.

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
// CHECK:         "mpi.isend"
// CHECK:         affine.for
// CHECK:           affine.load %parts
// CHECK:           affine.store %{{.*}}, %sum[]
// CHECK:         memref.dealloc %parts
// CHECK:       } else {
// CHECK-NOT:     mpi
// CHECK:         affine.for %i{{.*}} = 0 to
// CHECK-NOT:   mpi
// CHECK:       func.return
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
// CHECK:       "mpi.isend"
float weighed(int n, int m, float A[n][m]) {
  float sum = 0;
  // FAST: applied: 4 processes share 'weighed'
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) sum -= A[i][j] * i;
  return sum;
}

// Sums of integers might overflow where the sum does not.
int whole(int n, int A[n]) {
  int sum = 0;
  // FAST: missed: each process computes all of 'whole': telling all of them
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

// Two in one loop stay: neither has a place of its own.
double two(int n, double A[n], double *other) {
  double sum = 0, squares = 0;
  // FAST: missed: each process computes all of 'two': telling all of them
  for (int i = 0; i < n; i++) {
    sum += A[i];
    squares += A[i] * A[i];
  }
  *other = squares;
  return sum;
}
