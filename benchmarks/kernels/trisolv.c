/* trisolv: solves L x = b for a lower triangle L, by forward substitution. */

#include "bench.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

static void init(int n, double L[N][N], double b[N])
{
    for (int i = 0; i < n; i++) {
        b[i] = i;
        for (int j = 0; j <= i; j++)
            L[i][j] = (double)(i + n - j + 1) * 2 / n;
    }
}

void kernel_trisolv(int n, double L[N][N], double x[N], double b[N])
{
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*L)[N] = bench_alloc(N, sizeof *L);
    double *x = bench_alloc(N, sizeof *x);
    double *b = bench_alloc(N, sizeof *b);
    init(n, L, b);

    bench_start();
    kernel_trisolv(n, L, x, b);
    bench_stop();

    bench_doubles("x", x, n);
    free(L);
    free(x);
    free(b);
    return 0;
}
