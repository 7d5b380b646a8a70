// RUN: polyopt-cc -O3 -march=x86-64-v3 --skip-pass=keep-what-pays --emit=transfers %s -o %t.mlir
// RUN: cat %t.mlir | filecheck %s --check-prefix=LEVEL
// RUN: polyopt-cc -O0 --run %t.mlir | filecheck %s
// RUN: polyopt-cc -O1 --run %t.mlir | filecheck %s
// RUN: polyopt-cc -O3 -fno-poly --run %t.mlir | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 --skip-pass=keep-what-pays --skip-pass=share-transfers --run %s | filecheck %s
// RUN: not polyopt-cc -O3 -march=x86-64-v3 --skip-pass=keep-what-pays --skip-pass=lower-transfers -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=LEFT
// REQUIRES: avx2

// A module that was printed with transfers in it is lowered whatever it is read back with; where a
// person forbids just that, the compiler says which operation is left.

#include <stdio.h>

static double a[64], b[64], c[64];

static void step(int n, double *restrict to, double *restrict from, double *restrict every)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = from[i - 1] + 2 * from[i] + from[i + 1];
    for (int i = 0; i < n / 2; i++)
        every[i] = from[2 * i] - from[2 * i + 1];
}

int main(void)
{
    for (int i = 0; i < 64; i++)
        b[i] = i;
    step(63, a, b, c);
    double sum = 0, other = 0;
    for (int i = 0; i < 64; i++) {
        sum += a[i];
        other += c[i];
    }
    printf("%g %g\n", sum, other); // 4 times the sum of 1 to 61, and -1 for each of 31 pairs
    return 0;
}

// CHECK: 7564 -31
// LEVEL: pvec.read
// LEFT: error: 'pvec.read': the LLVM back end has no translation for it
// LEFT: hint: lower it with an earlier pass
