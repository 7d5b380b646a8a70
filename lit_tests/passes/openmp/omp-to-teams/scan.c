// RUN: polyopt-cc -fopenmp=libgomp --emit=source %s | filecheck %s

// One thread adds up, in order: in a variable that begins with nothing in each iteration. No lanes.

// CHECK-LABEL: func.func @sums(
// CHECK:         "omp.single"
// CHECK:           "omp.simd"{{.*}}safelen = 1 : i64
int sums(int n, int *a, int *b) {
  int s = 0;
#pragma omp parallel for reduction(inscan, + : s)
  for (int i = 0; i < n; i++) {
    s += a[i];
#pragma omp scan inclusive(s)
    b[i] = s;
  }
  return s;
}
