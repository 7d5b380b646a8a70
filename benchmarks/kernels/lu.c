/* lu: A = L U in place without pivoting; L has a unit diagonal that is not stored. */

#include "bench.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

/* A unit lower triangle T, then A = T T^T: no pivoting is needed. */
static void init(int n, double A[N][N])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            A[i][j] = (double)(-j % n) / n + 1;
        A[i][i] = 1;
        for (int j = i + 1; j < n; j++)
            A[i][j] = 0;
    }

    double (*B)[N] = bench_alloc(N, sizeof *B);
    for (int t = 0; t < n; t++)
        for (int r = t; r < n; r++)
            for (int s = t; s < n; s++)
                B[r][s] += A[r][t] * A[s][t];
    memcpy(A, B, N * sizeof *B);
    free(B);
}

void kernel_lu(int n, double A[N][N])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*A)[N] = bench_alloc(N, sizeof *A);
    init(n, A);

    bench_start();
    kernel_lu(n, A);
    bench_stop();

    bench_doubles("A", A, (long)n * n);
    free(A);
    return 0;
}
