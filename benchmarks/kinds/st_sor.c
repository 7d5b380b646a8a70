/* st_sor: successive over-relaxation of a grid in place. */

#include "../kernels/bench.h"

#define N BY_SIZE(8, 40, 400, 1200, 3000)

static void init(int n, double *grid, double *force)
{
    for (int i = 0; i < n * n; i++) {
        grid[i] = (double)(i * 37 % 101) / 101 + (double)0.25;
        force[i] = (double)(i * 45 % 103) / 103 + (double)0.25;
    }
}

void kernel_st_sor(int n, double *grid, const double *force)
{
    for (int t = 0; t < 4; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                grid[i * n + j] = -0.2 * grid[i * n + j] +
                                  0.3 * (grid[(i - 1) * n + j] + grid[(i + 1) * n + j] +
                                         grid[i * n + j - 1] + grid[i * n + j + 1] - force[i * n + j]);
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double *grid = bench_alloc(n * n, sizeof *grid);
    double *force = bench_alloc(n * n, sizeof *force);
    init(n, grid, force);

    bench_start();
    kernel_st_sor(n, grid, force);
    bench_stop();

    bench_doubles("grid", grid, n * n);
    free(grid);
    free(force);
    return 0;
}
