/* cone: a binomial filter repeated without a boundary: step t computes only where all of its
   inputs are known, from t to n - t, so that the domain is a trapezoid. All steps are kept. */

#include "bench.h"

#define STEPS BY_SIZE(12, 40, 120, 600, 1200)
#define N BY_SIZE(40, 130, 600, 5000, 10000)

static void init(int n, double u[STEPS][N])
{
    for (int i = 0; i < n; i++)
        u[0][i] = (double)(i * i % 97) / 97;
}

void kernel_cone(int steps, int n, double u[STEPS][N])
{
    for (int t = 1; t < steps; t++)
        for (int i = t; i < n - t; i++)
            u[t][i] = 0.25 * u[t - 1][i - 1] + 0.5 * u[t - 1][i] + 0.25 * u[t - 1][i + 1];
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int steps = bench_size(STEPS), n = bench_size(N);
    double (*u)[N] = bench_alloc(STEPS, sizeof *u);
    init(n, u);

    bench_start();
    kernel_cone(steps, n, u);
    bench_stop();

    bench_doubles("u", u, (long)steps * n);
    free(u);
    return 0;
}
