// The first and the last element that quotients reach, where iterations are solutions of an equation:
// not to the element, which took more than isl has operations for, but soon, and never too few.
// RUN: polyopt-cc -O3 --emit=poly %s | filecheck %s
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 --run %s > %t.made
// RUN: diff %t.source %t.made

#include <stdio.h>

int M[64][64];

// CHECK-LABEL: func.func @reached
// CHECK:       cf.cond_br
// CHECK:       poly.scop "reached"
__attribute__((noinline)) void reached(int n, int m, int *a, int *b, int *c)
{
    for (int i = 1; i < n; i += 4)
        for (int j = 2; j < n; j += 4) {
            if (3 * i + 2 * j == m + 1)
                M[((j + i) / 2) & 63][(j - 2 * i) & 63] = M[(2 * j - 1) & 63][(3 - 2 * i - n) & 63];
            if (2 * i + 3 * j == m + 6)
                a[j - 2 * i] = b[(3 * i + j - n - 8) / 2 * 2] > 9 ? c[(i + 3 * j - 8) / 8 * 8] : b[(-i - j - n - 2) & 1];
        }
}

int x[2000], y[2000];

int main(void)
{
    for (int run = 0; run < 8; run++) {
        for (int i = 0; i < 2000; i++)
            x[i] = i * 7 % 37, y[i] = i % 29;
        int *a = x + 900;
        reached(33 + run, 40 + 5 * run, a, run % 2 ? y + 900 : a + run, run % 3 ? a - run : y + 800);
        unsigned sum = 0;
        for (int i = 0; i < 2000; i++)
            sum = sum * 31 + x[i] + y[i] + M[i / 64][i % 64];
        printf("%u\n", sum);
    }
    return 0;
}
