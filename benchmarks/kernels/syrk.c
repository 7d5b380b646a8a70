/* syrk: C = alpha A A^T + beta C, the lower triangle of a symmetric rank-k update.
   The matrices do not overlap. */

#include "bench.h"

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

static void init(int n, int m, double C[N][N], double A[N][M])
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++)
            A[i][k] = (double)((i * k + 1) % n) / n;
        for (int j = 0; j < n; j++)
            C[i][j] = (double)((i * j + 2) % m) / m;
    }
}

void kernel_syrk(int n, int m, double alpha, double beta,
                 double C[restrict N][N], double A[restrict N][M])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += alpha * A[i][k] * A[j][k];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(M);
    double (*C)[N] = bench_alloc(N, sizeof *C);
    double (*A)[M] = bench_alloc(N, sizeof *A);
    init(n, m, C, A);

    bench_start();
    kernel_syrk(n, m, 1.5, 1.2, C, A);
    bench_stop();

    bench_doubles("C", C, (long)n * n);
    free(C);
    free(A);
    return 0;
}
