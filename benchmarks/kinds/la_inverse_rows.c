/* la_inverse_rows: an inverse by Gauss and Jordan, of matrices behind pointers to their rows. */

#include "../kernels/bench.h"

#define N BY_SIZE(10, 30, 100, 400, 1000)

static double **rows(int n)
{
    double **a = bench_alloc(n, sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = bench_alloc(n, sizeof **a);
    return a;
}

static void init(int n, double **a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = (double)((i * 13 + j * 7) % 31) / 31 + (i == j ? n : 0);
}

void kernel_la_inverse_rows(double **a, double **inverse, int n)
{
    int i, j, k;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            inverse[i][j] = (i == j);
    for (k = 0; k < n; k++) {
        double pivot = 1.0 / a[k][k];
        for (j = 0; j < n; j++) {
            a[k][j] *= pivot;
            inverse[k][j] *= pivot;
        }
        for (i = 0; i < n; i++)
            if (i != k) {
                double factor = a[i][k];
                for (j = 0; j < n; j++) {
                    a[i][j] -= factor * a[k][j];
                    inverse[i][j] -= factor * inverse[k][j];
                }
            }
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double **a = rows(n), **inverse = rows(n);
    init(n, a);

    bench_start();
    kernel_la_inverse_rows(a, inverse, n);
    bench_stop();

    for (int i = 0; i < n; i++) {
        bench_doubles("inverse", inverse[i], n);
        free(a[i]);
        free(inverse[i]);
    }
    free(a);
    free(inverse);
    return 0;
}
