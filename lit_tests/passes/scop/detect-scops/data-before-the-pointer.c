// What data say of a subscript is nothing: a pointer may lead into the middle of its object, and
// a[p[i]] may be any element of a[-1 - i]'s. An array that the function sees begins at 0.
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops | filecheck %s
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-cc -O3 --poly=isl --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-cc -O3 -fparallel=3 -fparallel-threshold=0 --run %s > %t.made
// RUN: diff %t.source %t.made

#include <stdio.h>

// CHECK-LABEL: poly.scop "before"
// CHECK: poly.write {{.*}} -> a[-1 - i] }
// CHECK: poly.read %{{.*}} -> a[o0] }"> may at
__attribute__((noinline)) void before(int *restrict a, int *restrict p, int *restrict b, int n)
{
    for (int i = 0; i < n; i++) {
        a[-1 - i] = b[i];
        b[i] = a[p[i]];
    }
}

int x[1000], p[400], b[400], table[50];

// CHECK-LABEL: poly.scop "inside"
// CHECK: poly.read %{{.*}} -> table[o0] : 0 <= o0 <= 49 }"> may at
__attribute__((noinline)) void inside(int n)
{
    for (int i = 0; i < n; i++)
        b[i] = table[p[i]];
}

int main(void)
{
    for (int i = 0; i < 400; i++) {
        p[i] = -(i * 7 % 300 + 1);
        b[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        x[i] = i % 7;
    before(x + 500, p, b, 300);
    for (int i = 0; i < 400; i++)
        p[i] = i % 50, table[i % 50] = i;
    inside(9);
    unsigned sum = 0;
    for (int i = 0; i < 400; i++)
        sum = sum * 31 + x[i] + x[i + 400] + b[i];
    printf("%u\n", sum);
    return 0;
}
