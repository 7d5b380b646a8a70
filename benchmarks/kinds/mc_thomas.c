/* mc_thomas: a tridiagonal system for each row, by elimination in arrays that all of them share. */

#include "../kernels/bench.h"

#define N BY_SIZE(8, 30, 400, 1200, 3000)

static void init(int n, double *a, double *b, double *c, double *d, double *x)
{
    for (int i = 0; i < n * n; i++) {
        a[i] = (double)(i * 37 % 101) / 101 + (double)0.25;
        b[i] = (double)(i * 45 % 103) / 103 + (double)0.25;
        c[i] = (double)(i * 53 % 105) / 105 + (double)0.25;
        d[i] = (double)(i * 61 % 107) / 107 + (double)0.25;
        x[i] = (double)(i * 69 % 109) / 109 + (double)0.25;
    }
}

void kernel_mc_thomas(int n, const double *a, const double *b, const double *c, const double *d, double *x)
{
    double cp[3000], dp[3000];
    for (int s = 0; s < n; s++) {
        cp[0] = c[s * n] / (b[s * n] + 3);
        dp[0] = d[s * n] / (b[s * n] + 3);
        for (int i = 1; i < n; i++) {
            double m = 1.0 / (b[s * n + i] + 3 - a[s * n + i] * cp[i - 1]);
            cp[i] = c[s * n + i] * m;
            dp[i] = (d[s * n + i] - a[s * n + i] * dp[i - 1]) * m;
        }
        x[s * n + n - 1] = dp[n - 1];
        for (int i = n - 2; i >= 0; i--)
            x[s * n + i] = dp[i] - cp[i] * x[s * n + i + 1];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double *a = bench_alloc(n * n, sizeof *a);
    double *b = bench_alloc(n * n, sizeof *b);
    double *c = bench_alloc(n * n, sizeof *c);
    double *d = bench_alloc(n * n, sizeof *d);
    double *x = bench_alloc(n * n, sizeof *x);
    init(n, a, b, c, d, x);

    bench_start();
    kernel_mc_thomas(n, a, b, c, d, x);
    bench_stop();

    bench_doubles("x", x, n * n);
    free(a);
    free(b);
    free(c);
    free(d);
    free(x);
    return 0;
}
