/* gesummv: y = alpha A x + beta B x. */

#include "bench.h"

#define N BY_SIZE(30, 90, 250, 1300, 2800)

static void init(int n, double A[N][N], double B[N][N], double x[N])
{
    for (int i = 0; i < n; i++) {
        x[i] = (double)(i % n) / n;
        for (int j = 0; j < n; j++) {
            A[i][j] = (double)((i * j + 1) % n) / n;
            B[i][j] = (double)((i * j + 2) % n) / n;
        }
    }
}

void kernel_gesummv(int n, double alpha, double beta, double A[N][N], double B[N][N],
                    double tmp[N], double x[N], double y[N])
{
    for (int i = 0; i < n; i++) {
        tmp[i] = 0.0;
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            tmp[i] = A[i][j] * x[j] + tmp[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*A)[N] = bench_alloc(N, sizeof *A);
    double (*B)[N] = bench_alloc(N, sizeof *B);
    double *tmp = bench_alloc(N, sizeof *tmp);
    double *x = bench_alloc(N, sizeof *x);
    double *y = bench_alloc(N, sizeof *y);
    init(n, A, B, x);

    bench_start();
    kernel_gesummv(n, 1.5, 1.2, A, B, tmp, x, y);
    bench_stop();

    bench_doubles("y", y, n);
    free(A);
    free(B);
    free(tmp);
    free(x);
    free(y);
    return 0;
}
