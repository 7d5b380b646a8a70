// Loops that data end, around short ones: of these one thread runs what was written, as it would without -fparallel. It
// is asked first how long they are, before what loops in threads rely on, and their sums need no place in memory.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math -fparallel --emit=loops -o - %s | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off -fparallel=3 -fparallel-threshold=0 --run %s > %t.threads
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: diff %t.threads %t.source

#include <stdio.h>

// CHECK-LABEL: func.func @product
// CHECK:         memref.load
// CHECK:         %[[LENGTH:.*]] = arith.subi
// CHECK:         %[[LONG:.*]] = arith.cmpi sgt, %[[LENGTH]]
// CHECK-NEXT:    cf.cond_br %[[LONG]], ^{{.*}}, ^{{.*}} {cmem.seldom}
// CHECK:         team.available
void product(int n, const int *start, const int *column, const double *value, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// What may not overlap is asked behind it.
// CHECK-LABEL: func.func @scaled
// CHECK:         arith.cmpi sgt
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^[[ASK:.*]], ^[[SOURCE:.*]] {cmem.seldom}
// CHECK-NEXT:  ^[[ASK]]:
// CHECK:         cmem.ptr_to_int
// CHECK:         cf.cond_br %{{.*}}, ^{{.*}}, ^[[SOURCE]]
void scaled(int n, int m, const int *first, const int *next, const int *column, const double *value, const double *b,
            double *c)
{
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k >= 0; k = next[k])
            for (int j = 0; j < m; j++) c[i * m + j] += value[k] * b[column[k] * m + j];
}

#define N 300
static int start[N + 1], first[N], next[4 * N], column[4 * N];
static double value[4 * N], x[N * 8], y[N * 8];

int main(void)
{
    for (int i = 0; i < N; i++) start[i + 1] = start[i] + i % 5;
    for (int k = 0; k < 4 * N; k++) next[k] = k + 1;
    for (int i = 0; i < N; i++) {
        first[i] = start[i] < start[i + 1] ? start[i] : -1;
        if (first[i] >= 0) next[start[i + 1] - 1] = -1;
    }
    for (int k = 0; k < 4 * N; k++) column[k] = k * 7 % N, value[k] = k % 11 * 0.25;
    for (int k = 0; k < 8 * N; k++) x[k] = k % 13 * 0.5;
    product(N, start, column, value, x, y);
    scaled(N, 7, first, next, column, value, x, y);
    double sum = 0;
    for (int k = 0; k < 8 * N; k++) sum += y[k] * (k % 5 + 1);
    printf("%.17g\n", sum);
}
