// Problems around the limit, below zero and of one row, in all three sizes: whichever order runs, the
// results are the source's.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-cc -O3 -march=x86-64-v3 --emit=schedule --skip-pass=keep-what-pays -o - %s | filecheck %s

#include <stdio.h>

#define N 70
static double A[N][N], B[N][N];

// CHECK-LABEL: func.func @factor(
// CHECK:         poly.for_little
__attribute__((noinline)) void factor(int n)
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                A[i][j] -= A[i][k] * A[k][j];
    }
}

__attribute__((noinline)) void parts(int n, int m, int l)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            B[i][j] *= 0.5;
        for (int k = 0; k < l; k++)
            for (int j = 0; j < m; j++)
                B[i][j] += A[i][k] * A[k][j];
    }
}

static void tell(const char *name, int n)
{
    double s = 0, t = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            s += A[i][j] * (i - j + 0.5), t += B[i][j] * (i + 2 * j);
            A[i][j] = i == j ? 40 + i : (i * 7 + j * 3) % 11 - 5;
            B[i][j] = i - j;
        }
    printf("%s %d: %a %a\n", name, n, s, t);
}

int main(void)
{
    static const int sizes[] = {-1, 0, 1, 2, 63, 64, 65, 70};
    tell("begin", 0);
    for (int s = 0; s < 8; s++) {
        factor(sizes[s]), tell("factor", sizes[s]);
        parts(sizes[s], N, N), tell("rows", sizes[s]);
        parts(N, sizes[s], 65), tell("columns", sizes[s]);
        parts(64, 64, sizes[s]), tell("depth", sizes[s]);
    }
    return 0;
}
