/* gramschmidt: A = Q R by the modified Gram-Schmidt process. */

#include "bench.h"

#include <math.h>

#define M BY_SIZE(20, 60, 200, 1000, 2000)
#define N BY_SIZE(30, 80, 240, 1200, 2600)

static void init(int m, int n, double A[M][N])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = (double)(i * j % m) / m * 100 + 10;
}

void kernel_gramschmidt(int m, int n, double A[M][N], double R[N][N], double Q[M][N])
{
    for (int k = 0; k < n; k++) {
        double norm = 0.0;
        for (int i = 0; i < m; i++)
            norm += A[i][k] * A[i][k];
        R[k][k] = sqrt(norm);
        for (int i = 0; i < m; i++)
            Q[i][k] = A[i][k] / R[k][k];

        for (int j = k + 1; j < n; j++) {
            R[k][j] = 0.0;
            for (int i = 0; i < m; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < m; i++)
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int m = bench_size(M), n = bench_size(N);
    double (*A)[N] = bench_alloc(M, sizeof *A);
    double (*R)[N] = bench_alloc(N, sizeof *R);
    double (*Q)[N] = bench_alloc(M, sizeof *Q);
    init(m, n, A);

    bench_start();
    kernel_gramschmidt(m, n, A, R, Q);
    bench_stop();

    bench_doubles("R", R, (long)n * n);
    bench_doubles("Q", Q, (long)m * n);
    free(A);
    free(R);
    free(Q);
    return 0;
}
