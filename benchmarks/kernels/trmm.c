/* trmm: B = alpha A^T B in place, where A is a unit lower triangle. */

#include "bench.h"

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

static void init(int m, int n, double A[M][M], double B[M][N])
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < i; j++)
            A[i][j] = (double)((i + j) % m) / m;
        A[i][i] = 1.0;
        for (int j = 0; j < n; j++)
            B[i][j] = (double)((n + i - j) % n) / n;
    }
}

void kernel_trmm(int m, int n, double alpha, double A[M][M], double B[M][N])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++)
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int m = bench_size(M), n = bench_size(N);
    double (*A)[M] = bench_alloc(M, sizeof *A);
    double (*B)[N] = bench_alloc(M, sizeof *B);
    init(m, n, A, B);

    bench_start();
    kernel_trmm(m, n, 1.5, A, B);
    bench_stop();

    bench_doubles("B", B, (long)m * n);
    free(A);
    free(B);
    return 0;
}
