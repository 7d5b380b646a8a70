// Loops that are made count in 64 bits, also backwards: what begins near the ends of these, or adds a
// number from there to a subscript, is no static control part. The loops run as they are written.
// RUN: polyopt-cc -O3 --remarks=loops -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 --run %s | diff %t.source -
// RUN: polyopt-cc -O2 -fopenmp --run %s | diff %t.source -

#include <limits.h>
#include <stdio.h>

static int m[200];

// CHECK: great-numbers.c:16:5: loop i: not optimised: 'i' begins near the end of what 64 bits hold: count from zero
__attribute__((noinline)) void lowest(int *m, long lo, long hi)
{
    for (long i = LONG_MIN + hi; i >= LONG_MIN + lo; i--)
        m[50 + (i - LONG_MIN)] += 2;
}

// Sums of great numbers may be small.
// CHECK-NOT: great-numbers.c:23:5: loop i: not optimised
__attribute__((noinline)) void greatest(int *m, long n)
{
    for (long i = n; i < n + 9; i++)
        m[LONG_MAX - 20 - i - (LONG_MAX - 60)]++;
}

int main(void)
{
    lowest(m, 2, 30), greatest(m, 5);
    for (int i = 0; i < 200; i++)
        if (m[i])
            printf("%d %d\n", i, m[i]);
    return 0;
}
