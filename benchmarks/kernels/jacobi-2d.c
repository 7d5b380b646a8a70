/* jacobi-2d: five-point smoothing of a plane, there and back.
   C99 style: the size is a parameter. */

#include "bench.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(30, 90, 250, 1300, 2800)

static void init(int n, double A[n][n], double B[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = ((double)i * (j + 2) + 2) / n;
            B[i][j] = ((double)i * (j + 3) + 3) / n;
        }
}

void kernel_jacobi_2d(int tsteps, int n, double A[n][n], double B[n][n])
{
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int tsteps = bench_size(TSTEPS), n = bench_size(N);
    double (*A)[n] = bench_alloc(n, sizeof *A);
    double (*B)[n] = bench_alloc(n, sizeof *B);
    init(n, A, B);

    bench_start();
    kernel_jacobi_2d(tsteps, n, A, B);
    bench_stop();

    bench_doubles("A", A, (long)n * n);
    free(A);
    free(B);
    return 0;
}
