// RUN: polyopt-cc -O3 -ffast-math -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc --emit=source %s 2>&1 | filecheck %s --check-prefix=IR

// A loop or a function behind '#pragma polyopt serial' stays in one thread, with the loops inside, in whatever
// order these come to stand; a loop around it does not. What else is said of polyopt is warned of.

// IR: cmem.serial = [{file = "{{.*}}serial.c", first = [14 : i64, 3 : i64], last = [15 : i64, {{[0-9]+}} : i64], loops = ["i"]}

// CHECK: serial.c:45:1: warning: '#pragma polyopt serail' is not known [-Wpolyopt-pragmas]
// CHECK: serial.c:47:1: warning: '#pragma polyopt serial' has no loop and no function behind it

void marked(int n, double *restrict a) {
#pragma polyopt serial
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}
// CHECK: serial.c:14:{{.*}} missed: loop i in one thread: the programmer keeps it there

void inside(int n, int m, double (*restrict A)[1000]) {
  for (int i = 0; i < n; i++)
#pragma polyopt serial
    for (int j = 0; j < m; j++)
      A[i][j] *= 2;
}
// CHECK: serial.c:20:{{.*}} applied: loop i in threads: doall

_Pragma("polyopt serial") void whole(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}
// CHECK: serial.c:28:{{.*}} missed: loop i in one thread: the programmer keeps it there

void product(double (*restrict A)[1000], double (*restrict B)[1000], double (*restrict C)[1000]) {
#pragma polyopt serial
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1000; j++)
      for (int k = 0; k < 1000; k++)
        C[i][j] += A[i][k] * B[k][j];
}
// CHECK:     serial.c:35:{{.*}} missed: loop {{[ijk]}} in one thread: the programmer keeps it there
// CHECK-NOT: in threads

__attribute__((optnone)) void plainly(int n, double *restrict a) { for (int i = 0; i < n; i++) a[i] *= 2; }

#pragma polyopt serail
int x;
#pragma polyopt serial
int y;
