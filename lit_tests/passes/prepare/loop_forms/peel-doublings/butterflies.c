// The first three iterations of a counter that doubles are copies in front of the loop, with numbers
// for it, where the loops inside end or go on by it.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p promote-scalars,clean-values,peel-doublings | filecheck %s

#include <stdio.h>

static double a[64];
static unsigned b[81];
static long c[100];

// CHECK-LABEL: func.func @hadamard(
// CHECK-COUNT-12: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
int hadamard(int n)
{
    int h;
    for (h = 1; h < n; h *= 2)
        for (int i = 0; i < n; i += 2 * h)
            for (int j = i; j < i + h; j++) {
                double x = a[j], y = a[j + h];
                a[j] = x + y;
                a[j + h] = x - y;
            }
    return h;
}

// By threes, from three on: 3 and 9 are less than 16.
// CHECK-LABEL: func.func @by_threes(
// CHECK-COUNT-6: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void by_threes(unsigned n)
{
    for (unsigned m = 3; m <= n; m *= 3)
        for (unsigned i = 0; i < n; i += m)
            b[i] += b[i + m / 3] ^ b[i + 2 * (m / 3)];
}

// CHECK-LABEL: func.func @in_pairs(
// CHECK-COUNT-8: cf.cond_br
// CHECK-NOT:     cf.cond_br
// CHECK:         func.return
void in_pairs(long n)
{
    for (long s = 1; s < n; s <<= 1)
        for (long i = 0; i + s < n; i += 2 * s)
            c[i] += c[i + s];
}

// One in another, and one behind another.
void nested(int n)
{
    for (int g = 1; g < n; g *= 2)
        for (int h = 1; h <= g; h *= 2)
            for (int i = 0; i + h < n; i += 2 * h)
                b[i] = b[i] * 3 + b[i + h] + g;
    for (int h = 2; h < n; h += h)
        for (int i = 0; i < h; i++)
            b[i] ^= b[i + h];
}

int main(void)
{
    int last = 0;
    for (int n = 0; n <= 64; n += n ? n : 1) {
        for (int i = 0; i < 64; i++)
            a[i] = i % 11 - 4.5;
        last += hadamard(n);
        for (int i = 0; i < 64; i++)
            printf("%a ", a[i]);
    }
    for (unsigned n = 0; n <= 81; n += 27) {
        for (unsigned i = 0; i < 81; i++)
            b[i] = i * 40503u;
        by_threes(n);
        nested(n / 2);
        for (int i = 0; i < 81; i++)
            printf("%u ", b[i]);
    }
    for (long n = 0; n <= 100; n += n < 10 ? 1 : 30) {
        for (int i = 0; i < 100; i++)
            c[i] = i * i;
        in_pairs(n);
        for (int i = 0; i < 100; i++)
            printf("%ld ", c[i]);
    }
    printf("%d\n", last);
    return 0;
}
