// RUN: polyopt-cc -fopenmp -fsyntax-only %s 2>&1 | filecheck %s
// RUN: polyopt-cc -fopenmp -fsyntax-only -Wno-openmp-races %s 2>&1 | wc -c | filecheck %s --check-prefix=SILENT
// RUN: not polyopt-cc -fopenmp -fsyntax-only -Werror %s 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: not polyopt-cc -fopenmp -fsyntax-only -Werror=openmp-races %s 2>&1 | filecheck %s --check-prefix=NAMED
// RUN: polyopt-cc -fsyntax-only %s 2>&1 | wc -c | filecheck %s --check-prefix=SILENT

// A loop that carries a dependence may not be shared: both accesses are shown, each with its line, with
// two iterations that meet. With the option off, and without -fopenmp, nothing is said.

void smooth(int n, double *a) {
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    a[i] = a[i] + a[i - 1];
}

// CHECK:      carried.c:11:{{[0-9]+}}: warning: iterations in different threads race on 'a' [-Wopenmp-races]
// CHECK-NEXT:   #pragma omp parallel for
// CHECK-NEXT:               ^
// CHECK-NEXT:   hint: leave out the pragma
// CHECK-NEXT: carried.c:13:5: note: i = 1 writes a[1] here
// CHECK-NEXT:       a[i] = a[i] + a[i - 1];
// CHECK-NEXT:       ^
// CHECK-NEXT: carried.c:13:19: note: i = 2 reads a[1] here, where n = 3
// CHECK-NEXT:       a[i] = a[i] + a[i - 1];
// CHECK-NEXT:                     ^

// SILENT: {{^ *0$}}
// ERROR: error: warnings are treated as errors
// NAMED: error: iterations in different threads race on 'a'
