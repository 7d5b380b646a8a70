/* symm: C = alpha A B + beta C, where A is symmetric and only its lower triangle is read. */

#include "bench.h"

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

static void init(int m, int n, double C[M][N], double A[M][M], double B[M][N])
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            C[i][j] = (double)((i + j) % 100) / m;
            B[i][j] = (double)((n + i - j) % 100) / m;
        }
        for (int j = 0; j <= i; j++)
            A[i][j] = (double)((i + j) % 100) / m;
        /* what lies above the diagonal must not be used */
        for (int j = i + 1; j < m; j++)
            A[i][j] = -999;
    }
}

void kernel_symm(int m, int n, double alpha, double beta,
                 double C[M][N], double A[M][M], double B[M][N])
{
    double sum;

    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            sum = 0;
            for (int k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                sum += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum;
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int m = bench_size(M), n = bench_size(N);
    double (*C)[N] = bench_alloc(M, sizeof *C);
    double (*A)[M] = bench_alloc(M, sizeof *A);
    double (*B)[N] = bench_alloc(M, sizeof *B);
    init(m, n, C, A, B);

    bench_start();
    kernel_symm(m, n, 1.5, 1.2, C, A, B);
    bench_stop();

    bench_doubles("C", C, (long)m * n);
    free(C);
    free(A);
    free(B);
    return 0;
}
