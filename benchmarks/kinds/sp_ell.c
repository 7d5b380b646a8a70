/* sp_ell: a sparse matrix with the same number of places in each row, stored column by column. */

#include "../kernels/bench.h"

#define N BY_SIZE(20, 200, 20000, 100000, 400000)
#define WIDTH BY_SIZE(3, 5, 9, 9, 9)

static void init(int n, int width, int *column, double *value, double *x)
{
    for (int k = 0; k < width; k++)
        for (int i = 0; i < n; i++) {
            column[k * n + i] = (i + 131 * k) % n;
            value[k * n + i] = 1.0 / (1 + k + i % 7);
        }
    for (int i = 0; i < n; i++)
        x[i] = 0.01 * (i % 101);
}

void kernel_sp_ell(int n, int width, const int *column, const double *value, const double *x,
                   double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < width; k++)
            sum += value[k * n + i] * x[column[k * n + i]];
        y[i] = sum;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), width = bench_size(WIDTH);
    int *column = bench_alloc(width * n, sizeof *column);
    double *value = bench_alloc(width * n, sizeof *value);
    double *x = bench_alloc(n, sizeof *x);
    double *y = bench_alloc(n, sizeof *y);
    init(n, width, column, value, x);

    bench_start();
    kernel_sp_ell(n, width, column, value, x, y);
    bench_stop();

    bench_doubles("y", y, n);
    free(column);
    free(value);
    free(x);
    free(y);
    return 0;
}
