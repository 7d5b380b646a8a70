// RUN: polyopt-cc -fopenmp -fsyntax-only %s 2>&1 | filecheck %s

// In 'for simd' each thread's iterations are lanes: what its threads have for themselves their lanes
// still share. Where threads race too, that alone is said.

void helped(int n, double *restrict a, double *restrict b) {
#pragma omp parallel
  {
    double t;
#pragma omp for simd
    for (int i = 0; i < n; i++) {
      t = a[i] * a[i];
      b[i] = t + 1;
    }
// CHECK: lanes_of_threads.c:10:{{.*}} warning: iterations that lanes do at once race on 't'
// CHECK: hint: add private(t)
// CHECK: note: i = 1 writes t here
// CHECK-NEXT: t = a[i] * a[i];
// CHECK-NEXT: ^
// CHECK-NEXT: lanes_of_threads.c:52:{{.*}} warning: iterations in different threads race on 'a'
// CHECK-NOT: warning
#pragma omp for simd private(t)
    for (int i = 0; i < n; i++) {
      t = a[i] * a[i];
      b[i] = t + 1;
    }
  }
}

double last(int n, double *restrict a, double *restrict b) {
  double t;
#pragma omp parallel for simd lastprivate(t)
  for (int i = 0; i < n; i++) {
    double u = a[i];
    t = u * u;
    b[i] = t + u;
  }
  return t;
}

double summed(int n, double *restrict a) {
  double s = 0, most = 0;
#pragma omp parallel for simd reduction(+ : s) reduction(max : most)
  for (int i = 0; i < n; i++) {
    s += a[i];
    most = a[i] > most ? a[i] : most;
  }
  return s + most;
}

void both(int n, double *restrict a) {
#pragma omp parallel for simd
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 1;
}

// Iterations of other threads, or of other chunks, are no lanes of this one.

void in_chunks(int n, double *restrict a, double *restrict b) {
#pragma omp parallel
  {
    double t;
#pragma omp for simd schedule(dynamic)
    for (int i = 0; i < n; i++) {
      t = a[i];
      b[i] = t;
    }
  }
}
