/* lv01_hydro: Livermore loop 1, a fragment of hydrodynamics. */

#include "../kernels/bench.h"

#define N BY_SIZE(30, 1001, 100001, 1000001, 10000001)

static void init(int n, double *y, double *z)
{
    for (int k = 0; k < n; k++)
        y[k] = 0.001 * (k % 97);
    for (int k = 0; k < n + 11; k++)
        z[k] = 0.002 * (k % 89);
}

void kernel_lv01_hydro(int n, double q, double r, double t, double *x, double *y, double *z)
{
    for (int k = 0; k < n; k++)
        x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double *x = bench_alloc(n, sizeof *x);
    double *y = bench_alloc(n, sizeof *y);
    double *z = bench_alloc(n + 11, sizeof *z);
    init(n, y, z);

    bench_start();
    kernel_lv01_hydro(n, 0.5, 1.25, 0.75, x, y, z);
    bench_stop();

    bench_doubles("x", x, n);
    free(x);
    free(y);
    free(z);
    return 0;
}
