/* sp_block3: a sparse matrix of blocks of 3 x 3, by rows of blocks, times a vector. */

#include "../kernels/bench.h"

#define N BY_SIZE(6, 60, 8000, 40000, 160000)
#define EACH 6

static void init(int n, int *start, int *column, double (*value)[3][3], double *x)
{
    for (int i = 0; i <= n; i++)
        start[i] = i * EACH;
    for (int k = 0; k < n * EACH; k++) {
        column[k] = (k * 7L + k / EACH * 13) % n;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                value[k][r][c] = 0.5 * ((k + 2 * r + c) % 5);
    }
    for (int i = 0; i < 3 * n; i++)
        x[i] = 0.01 * (i % 101);
}

void kernel_sp_block3(int n, const int *start, const int *column, double (*value)[3][3],
                      const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int k = start[i]; k < start[i + 1]; k++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    sum[r] += value[k][r][c] * x[3 * column[k] + c];
        for (int r = 0; r < 3; r++)
            y[3 * i + r] = sum[r];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    int *start = bench_alloc(n + 1, sizeof *start);
    int *column = bench_alloc(n * EACH, sizeof *column);
    double (*value)[3][3] = bench_alloc(n * EACH, sizeof *value);
    double *x = bench_alloc(3 * n, sizeof *x);
    double *y = bench_alloc(3 * n, sizeof *y);
    init(n, start, column, value, x);

    bench_start();
    kernel_sp_block3(n, start, column, value, x, y);
    bench_stop();

    bench_doubles("y", y, 3L * n);
    free(start);
    free(column);
    free(value);
    free(x);
    free(y);
    return 0;
}
