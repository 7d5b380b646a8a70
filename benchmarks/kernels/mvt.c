/* mvt: x1 += A y1 and x2 += A^T y2. */

#include "bench.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

static void init(int n, double x1[N], double x2[N], double y1[N], double y2[N], double A[N][N])
{
    for (int i = 0; i < n; i++) {
        x1[i] = (double)(i % n) / n;
        x2[i] = (double)((i + 1) % n) / n;
        y1[i] = (double)((i + 3) % n) / n;
        y2[i] = (double)((i + 4) % n) / n;
        for (int j = 0; j < n; j++)
            A[i][j] = (double)(i * j % n) / n;
    }
}

void kernel_mvt(int n, double x1[N], double x2[N], double y1[N], double y2[N], double A[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x1[i] = x1[i] + A[i][j] * y1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x2[i] = x2[i] + A[j][i] * y2[j];
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*A)[N] = bench_alloc(N, sizeof *A);
    double *x1 = bench_alloc(N, sizeof *x1);
    double *x2 = bench_alloc(N, sizeof *x2);
    double *y1 = bench_alloc(N, sizeof *y1);
    double *y2 = bench_alloc(N, sizeof *y2);
    init(n, x1, x2, y1, y2, A);

    bench_start();
    kernel_mvt(n, x1, x2, y1, y2, A);
    bench_stop();

    bench_doubles("x1", x1, n);
    bench_doubles("x2", x2, n);
    free(A);
    free(x1);
    free(x2);
    free(y1);
    free(y2);
    return 0;
}
