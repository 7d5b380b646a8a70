// RUN: polyopt-opt %s --cflags="-fopenmp -Wno-openmp-races" -p check-worksharing -o %t.mlir 2>&1 | filecheck %s
// RUN: cat %t.mlir | filecheck %s --check-prefix=MODULE

// The pass by itself warns of what races and leaves the module as it was; a loop that carries
// nothing, and code without constructs, are not spoken of.

void smooth(int n, double *a) {
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    a[i] = a[i] + a[i - 1];
}

void scale(int n, double *a) {
#pragma omp parallel for
  for (int i = 1; i < n; i++)
    a[i] = 2 * a[i];
}

void alone(int n, double *a) {
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1];
}

// CHECK:     as-a-pass.c:8:{{[0-9]+}}: warning: iterations in different threads race on 'a'
// CHECK-NOT: warning
// MODULE:    func.func @smooth
// MODULE:    "omp.wsloop"
