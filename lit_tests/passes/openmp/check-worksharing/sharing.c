// RUN: polyopt-cc -fopenmp -fsyntax-only %s 2>&1 | filecheck %s

// A variable that all threads share is told to be private, a sum, or taken out of the last iteration,
// as its accesses say; where the clause is there, nothing is said.

double squares(int n, const double *a, double *b) {
  double s = 0, t, last;
  int i, j;
#pragma omp parallel for
  for (i = 0; i < n; i++) {
    t = a[i];
    b[i] = t * t;
  }
// CHECK: sharing.c:9:{{.*}} race on 't'
// CHECK: hint: add private(t)
#pragma omp parallel for
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      s += a[i] * a[j];
// CHECK: sharing.c:16:{{.*}} race on 'j'
// CHECK: hint: add private(j)
// CHECK: sharing.c:16:{{.*}} race on 's'
// CHECK: hint: add reduction(+: s)
#pragma omp parallel for
  for (i = 0; i < n; i++)
    last = a[i];
// CHECK: sharing.c:24:{{.*}} race on 'last'
// CHECK: hint: add lastprivate(last)
// CHECK-NOT: warning
#pragma omp parallel for private(j, t) reduction(+: s) lastprivate(last)
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      t = a[i];
      s += t * a[j];
      last = t;
    }
  return s + last;
}
