// Loops that store members of structures or elements of columns are marked on their way back, also in
// the function as it was written, which comes back where nothing else pays.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --print-after=mark-scattered-stores -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -S -emit-llvm %s -o - | filecheck %s --check-prefix LLVM

struct particle { double x, y, z, vx, vy, vz, m; };

// CHECK-LABEL: func.func @columns(
// CHECK:       cf.br {{.*}}cmem.no_vector
void columns(int n, double a[n][25]) {
  for (int i = 0; i < n; i++) {
    double t = a[i][4] - a[i][3];
    a[i][3] = t;
    a[i][5] = t - a[i][5];
  }
}

// CHECK-LABEL: func.func @drift(
// CHECK:       cf.br {{.*}}cmem.no_vector
void drift(int n, struct particle *p, double dt) {
  for (int i = 0; i < n; i++) p[i].x += dt * p[i].vx;
}

// Every other element, which loads of the next vectors would meet, and wait.
// CHECK-LABEL: func.func @from_behind(
// CHECK:       cf.br {{.*}}cmem.no_vector
void from_behind(int n, double *u) {
  for (int i = 4; i < n; i += 2) u[i] = u[i - 3] + u[i - 1];
}

// LLVM:        !{!"llvm.loop.vectorize.width", i32 1}
