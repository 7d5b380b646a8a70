// What LLVM keeps its vectors of: rows, every other element, reads from far away alone, much
// arithmetic for one store; and loops with calls or with loops in them are not asked about.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --print-after=mark-scattered-stores -c %s -o %t.o 2>&1 | filecheck %s
// CHECK-NOT: cmem.no_vector

int opaque(int);

void row(int n, double *a) {
  for (int i = 0; i < n; i++) a[i] += 1;
}

void every_other(int n, float *restrict a, const float *restrict b) {
  for (int i = 0; i < n; i++) a[2 * i] = b[i];
}

void from_neighbours(int n, double *u) {
  for (int i = 2; i < n; i += 2) u[i] = u[i - 1] + u[i + 1];
}

void from_ahead(int n, double *u) {
  for (int i = 0; i < n; i += 2) u[i] = u[i + 1] + u[i + 3];
}

void column_read(int n, double *restrict s, double a[n][25]) {
  for (int i = 0; i < n; i++) s[i] = a[i][4];
}

void arithmetic(int n, double a[n][25], const double *b) {
  for (int i = 0; i < n; i++) {
    double x = b[i];
    a[i][4] = x * x * x * x * x * x * x * x * x * x * x * x * x * x + x * 3 - x * x * x * x * x * x * x;
  }
}

void calls(int n, int a[n][25]) {
  for (int i = 0; i < n; i++) a[i][4] = opaque(i);
}
