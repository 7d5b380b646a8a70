// What both ways load before they store is loaded in front of them, through else-ifs too; not behind a
// store that may change it, nor what one way alone loads. Arrays that overlap, NaN, no iteration.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,structure-branches | filecheck %s

#include <stdio.h>

#define N 71
static double a[N + 1], b[N + 1], c[N + 1], d[N + 1];

// CHECK-LABEL: func.func @three_ways(
// CHECK:         arith.cmpf olt
// CHECK-NEXT:    %[[Z:.*]] = memref.load %[[ZS:.*]][
// CHECK-NEXT:    scf.if
// CHECK-NOT:       memref.load %[[ZS]][
// CHECK:         cf.br
void three_ways(int n, double *z, const double *x, const double *y, const double *w)
{
    for (int i = 0; i < n; i++) {
        if (w[i] < 0)
            z[i] += x[i] * y[i];
        else if (w[i] == 0)
            z[i] += x[i] * x[i];
        else
            z[i] += y[i] * y[i];
    }
}

// CHECK-LABEL: func.func @stored_before(
// CHECK:         arith.cmpf ogt
// CHECK-NOT:     memref.load
// CHECK:         scf.if
// CHECK-NOT:       memref.load
// CHECK:           memref.store
// CHECK-NEXT:      memref.load
// CHECK:         } else {
// CHECK:           memref.load
void stored_before(int n, double *z, const double *x, const double *w)
{
    for (int i = 0; i < n; i++) {
        if (w[i] > 0) {
            z[i] = w[i];
            z[i + 1] = x[i] + 1;
        } else {
            z[i + 1] = x[i] * 2;
        }
    }
}

// Both ways, but the second one behind a store.
// CHECK-LABEL: func.func @one_behind(
// CHECK:         arith.cmpf ogt
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.load
// CHECK:         } else {
// CHECK:           memref.store
// CHECK:           memref.load
void one_behind(int n, double *z, double *v, const double *x, const double *w)
{
    for (int i = 0; i < n; i++) {
        if (w[i] > 0) {
            z[i] = x[i] + 1;
        } else {
            v[i] = w[i];
            z[i] = x[i] * 2;
        }
    }
}

// What is added to is loaded for both ways, and is a sum still.
// CHECK-LABEL: func.func @either_sum(
// CHECK:         %[[TERM:.*]] = arith.select
// CHECK-NEXT:    %[[NEW:.*]] = arith.addi %{{.*}}, %[[TERM]] : i32
// CHECK-NEXT:    memref.store %[[NEW]],
void either_sum(int n, unsigned *h, const unsigned *at, const unsigned *x)
{
    for (int i = 0; i < n; i++) {
        if (x[i] & 1)
            h[at[i]] += x[i];
        else
            h[at[i]] -= x[i];
    }
}

// The old value is used a second time by one way.
void used_twice(int n, double *z, const double *x, const double *w)
{
    for (int i = 0; i < n; i++) {
        if (w[i] > 0)
            z[i] = z[i] + z[i] * x[i];
        else
            z[i] = z[i] + x[i];
    }
}

static void fill(void)
{
    volatile double zero = 0;
    for (int i = 0; i <= N; i++) {
        a[i] = i % 5 - 2;
        b[i] = i * 0.5 - 7;
        c[i] = i % 3 - 1;
        d[i] = 1 - i;
    }
    c[3] = zero / zero;
    a[4] = -0.0;
    b[9] = 1 / zero;
}

static void tell(const char *name, int n)
{
    printf("%s %d:", name, n);
    for (int i = 0; i <= N; i++)
        printf(" %a %a %a", a[i] == a[i] ? a[i] : 777, b[i] == b[i] ? b[i] : 777, d[i] == d[i] ? d[i] : 777);
    printf("\n");
    fill();
}

int main(void)
{
    unsigned h[8] = {0}, at[N], x[N];
    fill();
    for (int i = 0; i < N; i++)
        at[i] = i * 5 % 8, x[i] = i * 7u;
    for (int n = 0; n <= N - 1; n += n < 20 ? 1 : 7) {
        three_ways(n, a, b, d, c), tell("three", n);
        three_ways(n, a, a, a + 1, c), tell("over itself", n);
        three_ways(n, a + 1, a, b, c), tell("over the next", n);
        stored_before(n, a, b, c), tell("stored", n);
        stored_before(n, a, a, c), tell("stored over", n);
        one_behind(n, a, d, b, c), tell("behind", n);
        one_behind(n, a, b, b, c), tell("behind over", n);
        used_twice(n, a, b, c), tell("twice", n);
        either_sum(n, h, at, x);
        for (int i = 0; i < 8; i++)
            printf(" %u", h[i]);
    }
    return 0;
}
