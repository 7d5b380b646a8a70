// At the edges: no bit at all, all bits, bytes in wider arithmetic, a sum that wraps around, and a loop around: straight code then.
// RUN: polyopt-cc -O3 --run %s | filecheck %s
// RUN: polyopt-cc -O3 --remarks -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=REMARKS
#include <stdio.h>

int ones(unsigned v) { int c = 0; while (v) { c++; v &= v - 1; } return c; }
int at_least_one(unsigned long long v) { int c = 0; do { c++; v >>= 1; } while (v); return c; }
int of_bytes(unsigned char v) { int c = 0; while (v) { c++; v >>= 1; } return c; }
int negative(int v) { int c = 0; while (v > 0) { c++; v >>= 1; } return c * 1000 + v; }
unsigned char wraps(unsigned v) { unsigned char c = 200; while (v) { c += 100; v &= v - 1; } return c; }

int distance(const unsigned *a, const unsigned *b, int n)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        for (unsigned v = a[i] ^ b[i]; v; v &= v - 1)
            c++;
    return c;
}

// REMARKS: edge.c:16:40: applied: the loop is a count of bits [count-bits]

int main(void)
{
    unsigned a[5] = {0, 1, 3, 0xffffffff, 0x80000000}, b[5] = {0, 2, 1, 0, 0x80000000};
    // CHECK: 0 32 1
    printf("%d %d %d\n", ones(0), ones(~0u), ones(0x80000000));
    // CHECK-NEXT: 1 1 64
    printf("%d %d %d\n", at_least_one(0), at_least_one(1), at_least_one(~0ull));
    // CHECK-NEXT: 0 8 7
    printf("%d %d %d\n", of_bytes(0), of_bytes(255), of_bytes(127));
    // CHECK-NEXT: 0 -5 31000
    printf("%d %d %d\n", negative(0), negative(-5), negative(0x7fffffff));
    // CHECK-NEXT: 200 44 72
    printf("%d %d %d\n", wraps(0), wraps(4), wraps(~0u));
    // CHECK-NEXT: 35
    printf("%d\n", distance(a, b, 5));
    return 0;
}
