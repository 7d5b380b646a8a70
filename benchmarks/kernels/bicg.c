/* bicg: s = A^T r and q = A p, the two products of a BiCG step, fused. */

#include "bench.h"

#define M BY_SIZE(38, 116, 390, 1900, 1800)
#define N BY_SIZE(42, 124, 410, 2100, 2200)

static void init(int m, int n, double A[N][M], double r[N], double p[M])
{
    for (int j = 0; j < m; j++)
        p[j] = (double)(j % m) / m;
    for (int i = 0; i < n; i++) {
        r[i] = (double)(i % n) / n;
        for (int j = 0; j < m; j++)
            A[i][j] = (double)(i * (j + 1) % n) / n;
    }
}

void kernel_bicg(int m, int n, double A[N][M], double s[M], double q[N], double p[M], double r[N])
{
    for (int j = 0; j < m; j++)
        s[j] = 0;
    for (int i = 0; i < n; i++) {
        q[i] = 0.0;
        for (int j = 0; j < m; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int m = bench_size(M), n = bench_size(N);
    double (*A)[M] = bench_alloc(N, sizeof *A);
    double *s = bench_alloc(M, sizeof *s);
    double *q = bench_alloc(N, sizeof *q);
    double *p = bench_alloc(M, sizeof *p);
    double *r = bench_alloc(N, sizeof *r);
    init(m, n, A, r, p);

    bench_start();
    kernel_bicg(m, n, A, s, q, p, r);
    bench_stop();

    bench_doubles("s", s, m);
    bench_doubles("q", q, n);
    free(A);
    free(s);
    free(q);
    free(p);
    free(r);
    return 0;
}
