/* sp_trisolve: a sparse lower triangular system in compressed rows, the diagonal last in each row. */

#include "../kernels/bench.h"

#define N BY_SIZE(20, 200, 50000, 200000, 800000)
#define MOST 8

static void init(int n, int *start, int *column, double *value, double *b)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        start[i] = at;
        int below = i * 5 % MOST;
        for (int k = 0; k < below; k++) {
            int c = i - 1 - k * (k + 37);
            if (c >= 0) {
                column[at] = c;
                value[at++] = 0.0625 * (1 + (i + k) % 3);
            }
        }
        column[at] = i;
        value[at++] = 2.0 + i % 5;
        b[i] = 1.0 + 0.01 * (i % 97);
    }
    start[n] = at;
}

void kernel_sp_trisolve(int n, const int *start, const int *column, const double *value,
                        const double *b, double *x)
{
    for (int i = 0; i < n; i++) {
        double s = b[i];
        int end = start[i + 1] - 1;
        for (int k = start[i]; k < end; k++)
            s -= value[k] * x[column[k]];
        x[i] = s / value[end];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    int *start = bench_alloc(n + 1, sizeof *start);
    int *column = bench_alloc(MOST * (size_t)n, sizeof *column);
    double *value = bench_alloc(MOST * (size_t)n, sizeof *value);
    double *b = bench_alloc(n, sizeof *b), *x = bench_alloc(n, sizeof *x);
    init(n, start, column, value, b);

    bench_start();
    kernel_sp_trisolve(n, start, column, value, b, x);
    bench_stop();

    bench_doubles("x", x, n);
    free(start);
    free(column);
    free(value);
    free(b);
    free(x);
    return 0;
}
