// RUN: polyopt-cc -O3 --cache=off --run %s | filecheck %s

// What a region leaves to by an error is reached by it alone, also where the loop around leads from
// behind the region into it again: the message is not handed over behind the region.

#include <stdio.h>
#include <stdlib.h>

_Noreturn void stop(const char *why, int code)
{
    printf("%s %d\n", why, code);
    exit(0);
}

static void expand(unsigned char *to, unsigned char *from, unsigned x, int n)
{
    if (n == 1) {
        for (int i = x - 1; i >= 0; i--) {
            to[i * 2 + 1] = 255;
            to[i * 2] = from[i];
        }
    } else {
        if (n != 3)
            stop("neither", n);
        for (int i = x - 1; i >= 0; i--) {
            to[i * 4 + 3] = 255;
            to[i * 4 + 2] = from[i * 3 + 2];
            to[i * 4 + 1] = from[i * 3 + 1];
            to[i * 4] = from[i * 3];
        }
    }
}

__attribute__((noinline)) void rows(unsigned char *to, unsigned char *from, unsigned x, unsigned y, int n, int m,
                                    int stride)
{
    for (unsigned j = 0; j < y; j++) {
        unsigned char *row = to + stride * j;
        if (n == m) {
            for (unsigned i = 0; i < x * n; i++)
                row[i] = from[i];
        } else {
            expand(row, from, x, n);
        }
    }
}

int main(void)
{
    static unsigned char to[256], from[256];
    for (int i = 0; i < 256; i++)
        from[i] = i * 7;
    for (int n = 1; n < 5; n++) {
        rows(to, from, 5, 3, n, n % 2 ? 4 : n, 60);
        unsigned sum = 0;
        for (int i = 0; i < 256; i++)
            sum = sum * 31 + to[i];
        printf("%d %u\n", n, sum);
    }
    rows(to, from, 5, 3, 4, 1, 60);
}

// CHECK: 1 3168628639
// CHECK-NEXT: 2 1408594729
// CHECK-NEXT: 3 1866298514
// CHECK-NEXT: 4 3274799314
// CHECK-NEXT: neither 4
