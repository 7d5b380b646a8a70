/* sp_csr_mvm: a sparse matrix in compressed rows of uneven length, by a vector. */

#include "../kernels/bench.h"

#define N BY_SIZE(20, 200, 20000, 100000, 400000)
#define MOST 16

static void init(int n, int *start, int *column, double *value, double *x)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        start[i] = at;
        for (int k = 0; k < 1 + i * 7 % MOST; k++) {
            column[at] = (int)((i + k * 97L) % n);
            value[at++] = 1.0 / (1 + k);
        }
        x[i] = 0.01 * (i % 101);
    }
    start[n] = at;
}

void kernel_sp_csr_mvm(int n, const int *start, const int *column, const double *value,
                       const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    int *start = bench_alloc(n + 1, sizeof *start);
    int *column = bench_alloc(MOST * n, sizeof *column);
    double *value = bench_alloc(MOST * n, sizeof *value);
    double *x = bench_alloc(n, sizeof *x);
    double *y = bench_alloc(n, sizeof *y);
    init(n, start, column, value, x);

    bench_start();
    kernel_sp_csr_mvm(n, start, column, value, x, y);
    bench_stop();

    bench_doubles("y", y, n);
    free(start);
    free(column);
    free(value);
    free(x);
    free(y);
    return 0;
}
