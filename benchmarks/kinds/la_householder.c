/* la_householder: a matrix reduced to its triangle by reflections. */

#include "../kernels/bench.h"

#include <math.h>

#define N BY_SIZE(12, 40, 150, 500, 1200)

static void init(int n, double a[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = (i == j ? n : 0) + (double)((i * 7 + j * 5) % 23) / 23;
}

void kernel_la_householder(int n, double a[N][N], double *diagonal)
{
    for (int k = 0; k < n; k++) {
        double norm = 0.0;
        for (int i = k; i < n; i++)
            norm += a[i][k] * a[i][k];
        norm = sqrt(norm);
        if (a[k][k] > 0)
            norm = -norm;
        for (int i = k; i < n; i++)
            a[i][k] /= -norm;
        a[k][k] += 1.0;
        for (int j = k + 1; j < n; j++) {
            double s = 0.0;
            for (int i = k; i < n; i++)
                s += a[i][k] * a[i][j];
            s /= -a[k][k];
            for (int i = k; i < n; i++)
                a[i][j] += s * a[i][k];
        }
        diagonal[k] = norm;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*a)[N] = bench_alloc(N, sizeof *a);
    double *diagonal = bench_alloc(N, sizeof *diagonal);
    init(n, a);

    bench_start();
    kernel_la_householder(n, a, diagonal);
    bench_stop();

    bench_doubles("a", a, (long)N * n);
    bench_doubles("diagonal", diagonal, n);
    free(a);
    free(diagonal);
    return 0;
}
