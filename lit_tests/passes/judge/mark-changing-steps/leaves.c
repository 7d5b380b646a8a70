// Loads by a step that stays, or of three elements, and those beside stores that may meet them, show it.
// RUN: polyopt-cc -O3 -march=x86-64-v4 --print-after=mark-changing-steps -c %s -o %t.o 2>&1 | filecheck %s

double x[1024], w[1024];

// CHECK-LABEL: func.func @one_step(
// CHECK-NOT:   hidden_step
void one_step(int n, int m, int st) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) x[j] += w[j * st];
}

// CHECK-LABEL: func.func @may_meet(
// CHECK-NOT:   hidden_step
void may_meet(int n, double *y, double *v) {
  for (int st = 1; st <= n; st *= 2)
    for (int j = 0; j < n / st; j++) y[j] += v[j * st];
}

// CHECK-LABEL: func.func @by_three(
// CHECK-NOT:   hidden_step
void by_three(int n) {
  for (int i = 1; i < n; i *= 2)
    for (int j = 0; j < 300; j++) x[j] += w[3 * j + i];
}

