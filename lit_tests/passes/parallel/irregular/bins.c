// RUN: polyopt-cc -O3 -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -ffast-math -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=FAST
// RUN: polyopt-cc -O3 -fparallel --print-after=parallelize-irregular -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=IR

// Elements that data choose, and that all iterations only update: each part of the range updates a copy, then the
// copies are put together, some bins by each thread. Where the copies have nothing, the array is not touched: it may be
// shorter than what its subscripts could be.

// IR-LABEL: func.func private @bytes.omp.0(
// IR:         memref.store %{{.*}}, %copies
// IR:         cmem.address %copies
// IR:         func.call @GOMP_loop_end_nowait
// IR-LABEL: func.func private @bytes.omp.1(
// IR:         memref.load %copies
// IR:         arith.cmpi ne
// IR:         cf.cond_br
// IR-LABEL: func.func @bytes(
// IR:         arith.constant 256 : index
// IR:         memref.alloc(
// IR:         team.fork @bytes.omp.0
// IR:         team.fork @bytes.omp.1
// IR:         memref.dealloc
void bytes(int n, const unsigned char *restrict x, int *restrict h) {
  for (int i = 0; i < n; i++)
    h[x[i]]++;
}
// CHECK: bins.c:24:{{.*}} applied: loop i in threads: reduction of h, each on a copy

// The number of bins is known when the loop runs.
void remainders(int n, int m, const int *restrict x, long *restrict h) {
  for (int i = 0; i < n; i++)
    h[(unsigned)x[i] % m] += i;
}
// CHECK: bins.c:31:{{.*}} applied: loop i in threads: reduction of h, each on a copy

// What was asked before bounds it.
void asked(int n, int m, const int *restrict x, unsigned *restrict h) {
  for (int i = 0; i < n; i++) {
    int b = x[i];
    if (b >= 0 && b < m)
      h[b]++;
  }
}
// CHECK: bins.c:38:{{.*}} applied: loop i in threads: reduction of h, each on a copy

// Floating-point sums have an order.
double weights[64];
void weighted(int n, const int *restrict x, const double *restrict w) {
  for (int i = 0; i < n; i++)
    weights[x[i] & 63] += w[i];
}
// CHECK-NOT: bins.c:49:{{.*}} applied: loop i in threads
// FAST: bins.c:49:{{.*}} applied: loop i in threads: reduction of weights, each on a copy

// Nobody knows how many there are.
void any(int n, const int *restrict x, int *restrict h) {
  for (int i = 0; i < n; i++)
    h[x[i]]++;
}
// CHECK-NOT: bins.c:57:{{.*}} applied: loop i in threads

// What is read of it is used otherwise.
void numbered(int n, const unsigned char *restrict x, int *restrict h, int *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = h[x[i]]++;
}
// CHECK-NOT: bins.c:64:{{.*}} applied: loop i in threads

// Another place is read.
void others(int n, const unsigned char *restrict x, int *restrict h) {
  for (int i = 0; i < n; i++)
    h[x[i]] = h[x[i + 1]] + 1;
}
// CHECK-NOT: bins.c:71:{{.*}} applied: loop i in threads

// A number below 0 that is read without its sign is far away, and a great one that is read with a sign is below 0.
void unsigned_of_signed(int n, const signed char *restrict x, int *restrict h) {
  for (int i = 0; i < n; i++)
    h[(unsigned)x[i]]++;
}
// CHECK-NOT: bins.c:78:{{.*}} applied: loop i in threads

void signed_of_unsigned(int n, unsigned m, const unsigned *restrict x, int *restrict h) {
  for (int i = 0; i < n; i++)
    h[(int)(x[i] % m)]++;
}
// CHECK-NOT: bins.c:84:{{.*}} applied: loop i in threads
