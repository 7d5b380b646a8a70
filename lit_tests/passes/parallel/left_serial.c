// RUN: polyopt-cc -O3 -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -ffast-math -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=FAST

// Of each nest that stays in one thread a remark says why: what an iteration leaves for a later one, with
// both lines; an order of sums that is not ours to change; how little work it is; a call.

double outside(double);

void recurrence(int n, double *restrict a) {
  for (int i = 1; i < n; i++)
    a[i] = a[i] + a[i - 1];
}
// CHECK: left_serial.c:10:{{.*}} missed: loop i in one thread: what it writes of a in line 11 a later iteration reads in line 11 [affine-parallelize]
// FAST:  left_serial.c:10:{{.*}} missed: loop i in one thread: what it writes of a in line 11

double sum(const double *a) {
  double s = 0;
  for (int i = 0; i < 1000000; i++)
    s += a[i];
  return s;
}
// CHECK: left_serial.c:18:{{.*}} missed: loop i in one thread: each iteration adds to s in line 19, in an order that only -ffast-math
// FAST:  left_serial.c:18:{{.*}} applied: loop i in threads: reduction of s

void little(double *restrict a, const double *restrict b) {
  for (int i = 0; i < 100; i++)
    a[i] = b[i];
}
// CHECK: left_serial.c:26:{{.*}} missed: loop i in one thread: it takes some {{[0-9]+}} cycles, and threads pay from 60000 on

void call(int n, double *restrict a) {
  for (int i = 1; i < n; i++)
    a[i] = outside(a[i]);
}
// CHECK: left_serial.c:33:{{.*}} missed: the call of outside may do anything
// CHECK-NOT: in one thread

void copies(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = 2 * b[i];
}
// CHECK: left_serial.c:39:{{.*}} applied: loop i in threads: doall
// CHECK-NOT: loop i in one thread
