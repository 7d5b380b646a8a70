// Where a size from outside ends the loops of each problem, lanes stand behind a test that it is what the arrays allow;
// of any other size the results are the source's, too, and what is left in arrays that all problems use.
// REQUIRES: avx512
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off -march=x86-64-v4 --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=transfers -o - %s | filecheck %s

#include <stdio.h>

#define M 37
#define N 20

static double a[M][N], b[M][N], d[M][N], x[M][N], up[N];

// CHECK-LABEL: func.func @tridiagonal(
// CHECK:         "affine.if"{{.*}} + -20) >= 0
// CHECK:         pvec.read_square
__attribute__((noinline)) void tridiagonal(int m, int n)
{
    for (int s = 0; s < m; s++) {
        up[0] = a[s][0] / b[s][0];
        x[s][0] = d[s][0] / b[s][0];
        for (int i = 1; i < n; i++) {
            double w = 1 / (b[s][i] - a[s][i] * up[i - 1]);
            up[i] = a[s][i] * w;
            x[s][i] = (d[s][i] - a[s][i] * x[s][i - 1]) * w;
        }
        for (int i = n - 2; i >= 0; i--)
            x[s][i] -= up[i] * x[s][i + 1];
    }
}

int main(void)
{
    static const int sizes[] = {1, 2, 8, 19, 20};
    for (int k = 0; k < 5; k++)
        for (int m = 5; m <= M; m += 8) {
            for (int s = 0; s < M; s++)
                for (int i = 0; i < N; i++) {
                    a[s][i] = 1.0 / (1 + i + s % 3), b[s][i] = 3 + i % 4, d[s][i] = s - i;
                    x[s][i] = -i, up[i] = i;
                }
            tridiagonal(m, sizes[k]);
            double sum = 0;
            for (int s = 0; s < M; s++)
                for (int i = 0; i < N; i++)
                    sum += x[s][i] * (i + s) + up[i];
            printf("%d %d: %a\n", sizes[k], m, sum);
        }
    return 0;
}
