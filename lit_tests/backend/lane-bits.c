// With AVX-512 the mask of the first lanes of many bytes or shorts is a number shifted: no vectors of
// numbers are compared for it. Every rest of a row is what it is without masks, and nothing behind the
// row is written.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -S -emit-llvm %s -o - | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -S -emit-llvm %s -o - | filecheck %s --check-prefix=NARROW
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 -march=x86-64-v3 --run %s > %t.narrow
// RUN: diff %t.source %t.narrow

#include <stdio.h>

static unsigned char a[9][260], b[9][260];
static short s[9][260], t[9][260];

// CHECK-LABEL: define {{.*}}@window(
// CHECK-NOT:     icmp {{.*}} <64 x i32>
// CHECK:         bitcast i64 {{.*}} to <64 x i1>
// NARROW-NOT:    to <64 x i1>
__attribute__((noinline)) void window(int n)
{
    for (int y = 1; y < 8; y++)
        for (int x = 1; x < n - 1; x++) {
            unsigned char m = 255;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    if (a[y + j][x + i] < m) m = a[y + j][x + i];
            b[y][x] = m;
        }
}

// CHECK-LABEL: define {{.*}}@shorts(
// CHECK:         bitcast i32 {{.*}} to <32 x i1>
__attribute__((noinline)) void shorts(int from, int n)
{
    for (int y = 1; y < 8; y++)
        for (int x = from; x < n; x++)
            t[y][x] = s[y - 1][x] > s[y + 1][x] ? s[y][x] : s[y][x + 1] - s[y - 1][x];
}

static unsigned hash(const void *p, int n)
{
    unsigned x = 1;
    for (int i = 0; i < n; i++) x = x * 31 + ((const unsigned char *)p)[i];
    return x;
}

int main(void)
{
    for (int n = 0; n < 200; n++) {
        for (int i = 0; i < 260; i++) {
            for (int k = 0; k < 9; k++)
                a[k][i] = i * 7 + k * 50 + n, s[k][i] = i * (k + 3) % 19, b[k][i] = 1, t[k][i] = 1;
        }
        window(n), shorts(n % 3, n);
        printf("%d %u %u\n", n, hash(b, sizeof b), hash(t, sizeof t));
    }
    return 0;
}
