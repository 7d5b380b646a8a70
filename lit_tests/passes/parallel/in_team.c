// RUN: polyopt-cc -O3 -fopenmp=libgomp -fparallel --emit=scf %s | filecheck %s

// Where the programmer lets a team run a loop, no further team is made for it; other loops get theirs.

// CHECK-LABEL: func.func private @asked.omp.0(
// CHECK-NOT:     team.fork
// CHECK-LABEL: func.func @asked(
// CHECK:         team.fork @asked.omp.0
void asked(double a[2000][2000]) {
#pragma omp parallel for
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++) a[i][j] = 2 * a[i][j] + 1;
}

// CHECK:       func.func @unasked(
// CHECK:         team.fork
void unasked(double a[2000][2000]) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++) a[i][j] = 2 * a[i][j] + 1;
}
