/* seidel-2d: nine-point Gauss-Seidel sweeps over a plane, in place. */

#include "bench.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(40, 120, 400, 2000, 4000)

static void init(int n, double A[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = ((double)i * (j + 2) + 2) / n;
}

void kernel_seidel_2d(int tsteps, int n, double A[N][N])
{
    for (int t = 0; t <= tsteps - 1; t++)
        for (int i = 1; i <= n - 2; i++)
            for (int j = 1; j <= n - 2; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1]
                           + A[i][j - 1] + A[i][j] + A[i][j + 1]
                           + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1])
                          / 9.0;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int tsteps = bench_size(TSTEPS), n = bench_size(N);
    double (*A)[N] = bench_alloc(N, sizeof *A);
    init(n, A);

    bench_start();
    kernel_seidel_2d(tsteps, n, A);
    bench_stop();

    bench_doubles("A", A, (long)n * n);
    free(A);
    return 0;
}
