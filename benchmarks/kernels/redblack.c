/* redblack: red-black Gauss-Seidel: in one loop over the plane each half-sweep updates the points
   of one colour, told by a condition with a remainder. */

#include "bench.h"

#define SWEEPS BY_SIZE(10, 20, 50, 200, 400)
#define N BY_SIZE(30, 90, 250, 1300, 2800)

static void init(int n, double u[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = (double)(i * (j + 2) % n) / n;
}

void kernel_redblack(int sweeps, int n, double u[N][N])
{
    for (int t = 0; t < sweeps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                if ((i + j) % 2 == 0)
                    u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                if ((i + j) % 2 != 0)
                    u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int sweeps = bench_size(SWEEPS), n = bench_size(N);
    double (*u)[N] = bench_alloc(N, sizeof *u);
    init(n, u);

    bench_start();
    kernel_redblack(sweeps, n, u);
    bench_stop();

    bench_doubles("u", u, (long)n * n);
    free(u);
    return 0;
}
