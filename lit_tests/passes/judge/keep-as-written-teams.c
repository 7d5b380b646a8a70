// RUN: polyopt-cc -O3 -fopenmp=libgomp --verify-each --emit=prepared %s | filecheck %s

// A function that a kept one lets a team run is declared beside it, as one that it calls is.

void f(int n, double *a) {
  for (int t = 0; t < 3; t++)
#pragma omp parallel
    a[0] = n;
  for (int i = 1; i < n; i++)
    a[i] = 0;
}

// CHECK: builtin.module attributes {poly.as_written}
// CHECK:   func.func @f(
// CHECK:   func.func private @f.omp.0(
