/* gemver: a rank-2 update of A, then x = beta A^T y + z and w = alpha A x. */

#include "bench.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

static void init(int n, double A[N][N], double u1[N], double v1[N], double u2[N], double v2[N],
                 double y[N], double z[N])
{
    double length = n;
    for (int i = 0; i < n; i++) {
        u1[i] = i;
        u2[i] = (i + 1) / length / 2.0;
        v1[i] = (i + 1) / length / 4.0;
        v2[i] = (i + 1) / length / 6.0;
        y[i] = (i + 1) / length / 8.0;
        z[i] = (i + 1) / length / 9.0;
        for (int j = 0; j < n; j++)
            A[i][j] = (double)(i * j % n) / n;
    }
}

void kernel_gemver(int n, double alpha, double beta, double A[N][N],
                   double u1[N], double v1[N], double u2[N], double v2[N],
                   double w[N], double x[N], double y[N], double z[N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] = x[i] + beta * A[j][i] * y[j];

    for (int i = 0; i < n; i++)
        x[i] = x[i] + z[i];

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i] = w[i] + alpha * A[i][j] * x[j];
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*A)[N] = bench_alloc(N, sizeof *A);
    double *u1 = bench_alloc(N, sizeof *u1), *v1 = bench_alloc(N, sizeof *v1);
    double *u2 = bench_alloc(N, sizeof *u2), *v2 = bench_alloc(N, sizeof *v2);
    double *w = bench_alloc(N, sizeof *w), *x = bench_alloc(N, sizeof *x);
    double *y = bench_alloc(N, sizeof *y), *z = bench_alloc(N, sizeof *z);
    init(n, A, u1, v1, u2, v2, y, z);

    bench_start();
    kernel_gemver(n, 1.5, 1.2, A, u1, v1, u2, v2, w, x, y, z);
    bench_stop();

    bench_doubles("w", w, n);
    free(A);
    free(u1);
    free(v1);
    free(u2);
    free(v2);
    free(w);
    free(x);
    free(y);
    free(z);
    return 0;
}
