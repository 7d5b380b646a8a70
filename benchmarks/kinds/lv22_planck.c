/* lv22_planck: Planck's distribution (Livermore loop 22): quotients and exponentials. */

#include "../kernels/bench.h"

#include <math.h>

#define N BY_SIZE(8, 30, 400, 1200, 3000)

static void init(int n, double *u, double *v, double *x, double *y, double *w)
{
    for (int i = 0; i < n * n; i++) {
        u[i] = (double)(i * 37 % 101) / 101 + (double)0.25;
        v[i] = (double)(i * 45 % 103) / 103 + (double)0.25;
        x[i] = (double)(i * 53 % 105) / 105 + (double)0.25;
        y[i] = (double)(i * 61 % 107) / 107 + (double)0.25;
        w[i] = (double)(i * 69 % 109) / 109 + (double)0.25;
    }
}

void kernel_lv22_planck(int n, const double *u, const double *v, const double *x, double *y, double *w)
{
    for (int k = 0; k < n * n; k++) {
        y[k] = u[k] / v[k];
        w[k] = x[k] / (exp(y[k]) - 1.0);
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double *u = bench_alloc(n * n, sizeof *u);
    double *v = bench_alloc(n * n, sizeof *v);
    double *x = bench_alloc(n * n, sizeof *x);
    double *y = bench_alloc(n * n, sizeof *y);
    double *w = bench_alloc(n * n, sizeof *w);
    init(n, u, v, x, y, w);

    bench_start();
    kernel_lv22_planck(n, u, v, x, y, w);
    bench_stop();

    bench_doubles("y", y, n * n);
    bench_doubles("w", w, n * n);
    free(u);
    free(v);
    free(x);
    free(y);
    free(w);
    return 0;
}
