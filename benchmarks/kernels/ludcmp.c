/* ludcmp: solves A x = b by LU decomposition, forward and backward substitution. */

#include "bench.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

/* A unit lower triangle T, then A = T T^T: no pivoting is needed. */
static void init(int n, double A[N][N], double b[N])
{
    double length = n;
    for (int i = 0; i < n; i++) {
        b[i] = (i + 1) / length / 2.0 + 4;
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

void kernel_ludcmp(int n, double A[N][N], double b[N], double x[N], double y[N])
{
    int i, j, k;
    double w;

    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            w = A[i][j];
            for (k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (j = i; j < n; j++) {
            w = A[i][j];
            for (k = 0; k < i; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }

    for (i = 0; i < n; i++) {
        w = b[i];
        for (j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }

    for (i = n - 1; i >= 0; i--) {
        w = y[i];
        for (j = i + 1; j < n; j++)
            w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*A)[N] = bench_alloc(N, sizeof *A);
    double *b = bench_alloc(N, sizeof *b);
    double *x = bench_alloc(N, sizeof *x);
    double *y = bench_alloc(N, sizeof *y);
    init(n, A, b);

    bench_start();
    kernel_ludcmp(n, A, b, x, y);
    bench_stop();

    bench_doubles("x", x, n);
    free(A);
    free(b);
    free(x);
    free(y);
    return 0;
}
