// Subscripts whose quotients isl cannot compare in sensible time may meet anywhere; those of an array
// with few stay relations. It compiled in more than 200 s.
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops | filecheck %s
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-cc -O3 --remarks=2 -c %s -o %t.o 2>&1 | filecheck %s --check-prefix REMARK
// REMARK: subscripts with too many quotients to be compared may meet anywhere

#include <stdio.h>

int M[64][64], b[4000], c[4000];

// CHECK-LABEL: poly.scop "many"
// CHECK: poly.read {{.*}} -> b[o0] : {{.*}} mod 3 = 0
// CHECK: poly.read {{.*}} -> M[o0, o1] : 0 <= o0 <= 63 and 0 <= o1 <= 63 }"> may at
// CHECK: poly.write {{.*}} -> M[o0, o1] : 0 <= o0 <= 63 and 0 <= o1 <= 63 }"> may at
__attribute__((noinline)) void many(int n, int m)
{
    for (int i = 2; i < n / 2; i++)
        for (int j = 0; j < i; j += 2) {
            M[((j - 2 * i + 3) >> 1) & 63][(i + m) & 63] += b[((j + i - 2) % 3 + 3) % 3];
            if (i + 2 * j < 2 * i + 1)
                c[j + i + m + 8] = M[((j + i + 2) / 2) & 63][(3 * j > i ? j + 9 : j + m) & 63];
        }
    for (int i = 2; i < n / 2; i += 2) {
        b[3 * i] = M[i & 63][(i + 1) & 63];
        for (int j = i / 2; j < 20; j++) {
            M[(j / 8 + 3 * i + j) & 63][((i + j + 5) / 5 - 2 * j + 2 * i) & 63] += c[2 * i + 8];
            for (int k = j / 2; k < n / 2; k += 2)
                c[j + k + n] = M[k & 63][(m + 4 - i - j) & 63] + M[i & 63][(i + m) & 63];
        }
    }
}

// CHECK-LABEL: poly.scop "few"
// CHECK-NOT: may at
// CHECK: func.func
__attribute__((noinline)) void few(int n)
{
    for (int i = 0; i < n; i++)
        M[i % 2][i / 2] += M[(i + 1) % 2][i / 2];
}

int main(void)
{
    for (int i = 0; i < 4000; i++)
        b[i] = i % 37, c[i] = i % 29;
    for (int i = 0; i < 64 * 64; i++)
        M[i / 64][i % 64] = i % 13;
    many(40, 7);
    few(60);
    unsigned sum = 0;
    for (int i = 0; i < 4000; i++)
        sum = sum * 31 + b[i] + c[i] + M[i / 64][i % 64];
    printf("%u\n", sum);
    return 0;
}
