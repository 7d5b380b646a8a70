/* adi: the heat equation on a square by alternating-direction implicit steps: a tridiagonal
   solve for each column, then one for each row, each by a forward and a backward sweep. */

#include "bench.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(20, 60, 200, 1000, 2000)

static void init(int n, double u[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = (double)(i + n - j) / n;
}

void kernel_adi(int tsteps, int n, double u[N][N], double v[N][N], double p[N][N], double q[N][N])
{
    double dx = 1.0 / (double)n;
    double dy = 1.0 / (double)n;
    double dt = 1.0 / (double)tsteps;
    double mul1 = 2.0 * dt / (dx * dx);
    double mul2 = 1.0 * dt / (dy * dy);
    double a = -mul1 / 2.0;
    double b = 1.0 + mul1;
    double c = a;
    double d = -mul2 / 2.0;
    double e = 1.0 + mul2;
    double f = d;

    for (int t = 1; t <= tsteps; t++) {
        /* columns: v from u */
        for (int i = 1; i < n - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1]
                           - a * q[i][j - 1])
                          / (a * p[i][j - 1] + b);
            }
            v[n - 1][i] = 1.0;
            for (int j = n - 2; j >= 1; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }

        /* rows: u from v */
        for (int i = 1; i < n - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j]
                           - d * q[i][j - 1])
                          / (d * p[i][j - 1] + e);
            }
            u[i][n - 1] = 1.0;
            for (int j = n - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int tsteps = bench_size(TSTEPS), n = bench_size(N);
    double (*u)[N] = bench_alloc(N, sizeof *u);
    double (*v)[N] = bench_alloc(N, sizeof *v);
    double (*p)[N] = bench_alloc(N, sizeof *p);
    double (*q)[N] = bench_alloc(N, sizeof *q);
    init(n, u);

    bench_start();
    kernel_adi(tsteps, n, u, v, p, q);
    bench_stop();

    bench_doubles("u", u, (long)n * n);
    free(u);
    free(v);
    free(p);
    free(q);
    return 0;
}
