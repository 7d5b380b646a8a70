/* sp_spmm: a sparse matrix in compressed rows, by a dense one of a few columns. */

#include "../kernels/bench.h"

#define N BY_SIZE(20, 100, 2000, 20000, 100000)
#define M BY_SIZE(3, 17, 32, 32, 48)
#define MOST 16

static void init(int n, int m, int *start, int *column, double *value, double *b)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        start[i] = at;
        for (int k = 0; k < i * 7 % MOST; k++) {
            column[at] = (int)((i + k * 97L) % n);
            value[at++] = 1.0 / (1 + k);
        }
    }
    start[n] = at;
    for (long k = 0; k < (long)n * m; k++)
        b[k] = 0.01 * (double)(k % 101);
}

void kernel_sp_spmm(int n, int m, const int *start, const int *column, const double *value,
                    const double *b, double *c)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            c[i * m + j] = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            for (int j = 0; j < m; j++)
                c[i * m + j] += value[k] * b[column[k] * m + j];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(M);
    int *start = bench_alloc(n + 1, sizeof *start);
    int *column = bench_alloc((long)n * MOST, sizeof *column);
    double *value = bench_alloc((long)n * MOST, sizeof *value);
    double *b = bench_alloc((long)n * m, sizeof *b);
    double *c = bench_alloc((long)n * m, sizeof *c);
    init(n, m, start, column, value, b);

    bench_start();
    kernel_sp_spmm(n, m, start, column, value, b, c);
    bench_stop();

    bench_doubles("c", c, (long)n * m);
    free(start);
    free(column);
    free(value);
    free(b);
    free(c);
    return 0;
}
