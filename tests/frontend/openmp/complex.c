/* Complex numbers in reductions, and in copies for threads and tasks. */
#include <complex.h>
#include <stdio.h>
typedef double complex C;
C par(int n, C a, const C *x) { C s = 0; float complex fs = 1;
  #pragma omp parallel for reduction(+: s) reduction(*: fs) firstprivate(a)
  for (int i = 0; i < n; i++) { s += a * x[i]; fs *= (i & 1) ? I : -I; }
  return s + fs * a; }
int main(void) {
  C x[100], s = 0, f = 2.0*I, last = 0; float complex p = 1;
  for (int i = 0; i < 100; i++) x[i] = i - 3.0*I;
  #pragma omp parallel for reduction(+: s) firstprivate(f) lastprivate(last)
  for (int i = 0; i < 100; i++) { s += x[i] * f; last = x[i]; }
  printf("%a %a %a %a\n", creal(s), cimag(s), creal(last), cimag(last));
  #pragma omp parallel for private(p) reduction(*: f)
  for (int i = 0; i < 4; i++) { p = i + 1; f *= p; }
  printf("%a %a\n", creal(f), cimag(f));
  #pragma omp parallel for
  for (int i = 0; i < 100; i++) { C t = x[i]; x[i] = t * f; }
  #pragma omp simd reduction(+: s)
  for (int i = 0; i < 100; i++) s += x[i];
  printf("%a %a %a %a\n", creal(s), cimag(s), creal(f), cimag(f));
  #pragma omp parallel
  #pragma omp single
  for (int i = 0; i < 3; i++) {
  #pragma omp task firstprivate(f)
  x[i] = f * i;
  }
  s = par(100, 2.0 + I, x);
  printf("%a %a %a %a\n", creal(s), cimag(s), creal(x[2]), cimag(x[2]));
  return 0;
}
