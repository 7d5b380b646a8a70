/* heat-3d: the heat equation in three dimensions, seven-point Jacobi steps there and back. */

#include "bench.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(10, 20, 40, 120, 200)

static void init(int n, double A[N][N][N], double B[N][N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                A[i][j][k] = B[i][j][k] = (double)(i + j + (n - k)) * 10 / n;
}

void kernel_heat_3d(int tsteps, int n, double A[N][N][N], double B[N][N][N])
{
    for (int t = 1; t <= tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k])
                                 + 0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k])
                                 + 0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1])
                                 + A[i][j][k];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k])
                                 + 0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k])
                                 + 0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1])
                                 + B[i][j][k];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int tsteps = bench_size(TSTEPS), n = bench_size(N);
    double (*A)[N][N] = bench_alloc(N, sizeof *A);
    double (*B)[N][N] = bench_alloc(N, sizeof *B);
    init(n, A, B);

    bench_start();
    kernel_heat_3d(tsteps, n, A, B);
    bench_stop();

    bench_doubles("A", A, (long)n * n * n);
    free(A);
    free(B);
    return 0;
}
