/* atax: y = A^T (A x), one pass over the rows of A.
   C99 style: sizes are parameters. */

#include "bench.h"

#define M BY_SIZE(38, 116, 390, 1900, 1800)
#define N BY_SIZE(42, 124, 410, 2100, 2200)

static void init(int m, int n, double A[m][n], double x[n])
{
    double length = n;
    for (int j = 0; j < n; j++)
        x[j] = 1 + j / length;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = (double)((i + j) % n) / (5 * m);
}

void kernel_atax(int m, int n, double A[m][n], double x[n], double y[n], double tmp[m])
{
    for (int j = 0; j < n; j++)
        y[j] = 0;
    for (int i = 0; i < m; i++) {
        tmp[i] = 0.0;
        for (int j = 0; j < n; j++)
            tmp[i] = tmp[i] + A[i][j] * x[j];
        for (int j = 0; j < n; j++)
            y[j] = y[j] + A[i][j] * tmp[i];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int m = bench_size(M), n = bench_size(N);
    double (*A)[n] = bench_alloc(m, sizeof *A);
    double *x = bench_alloc(n, sizeof *x);
    double *y = bench_alloc(n, sizeof *y);
    double *tmp = bench_alloc(m, sizeof *tmp);
    init(m, n, A, x);

    bench_start();
    kernel_atax(m, n, A, x, y, tmp);
    bench_stop();

    bench_doubles("y", y, n);
    free(A);
    free(x);
    free(y);
    free(tmp);
    return 0;
}
