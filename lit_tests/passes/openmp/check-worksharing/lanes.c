// RUN: polyopt-cc -fopenmp -fsyntax-only %s 2>&1 | filecheck %s

// Lanes do each statement together: what an iteration leaves for a later one is there in time if the
// statement that needs it comes later in the body, or no earlier than 'safelen' iterations behind.

void lanes(int n, double *restrict a, double *restrict b, double *restrict c) {
#pragma omp simd
  for (int i = 3; i < n; i++)
    a[i] = a[i - 3] + 1;
// CHECK: lanes.c:7:{{.*}} warning: iterations that lanes do at once race on 'a'
// CHECK: hint: add safelen(3)
// CHECK: note: i = 3 writes a[3] here
// CHECK: note: i = 6 reads a[3] here
// CHECK-NOT: warning
#pragma omp simd safelen(3)
  for (int i = 3; i < n; i++)
    a[i] = a[i - 3] + 1;
#pragma omp simd
  for (int i = 1; i < n; i++) {
    b[i] = a[i];
    c[i] = b[i - 1];
  }
}
