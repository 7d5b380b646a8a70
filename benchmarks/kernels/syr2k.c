/* syr2k: C = alpha (A B^T + B A^T) + beta C, the lower triangle of a symmetric rank-2k update. */

#include "bench.h"

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

static void init(int n, int m, double C[N][N], double A[N][M], double B[N][M])
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++) {
            A[i][k] = (double)((i * k + 1) % n) / n;
            B[i][k] = (double)((i * k + 2) % m) / m;
        }
        for (int j = 0; j < n; j++)
            C[i][j] = (double)((i * j + 3) % n) / m;
    }
}

void kernel_syr2k(int n, int m, double alpha, double beta,
                  double C[N][N], double A[N][M], double B[N][M])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(M);
    double (*C)[N] = bench_alloc(N, sizeof *C);
    double (*A)[M] = bench_alloc(N, sizeof *A);
    double (*B)[M] = bench_alloc(N, sizeof *B);
    init(n, m, C, A, B);

    bench_start();
    kernel_syr2k(n, m, 1.5, 1.2, C, A, B);
    bench_stop();

    bench_doubles("C", C, (long)n * n);
    free(C);
    free(A);
    free(B);
    return 0;
}
