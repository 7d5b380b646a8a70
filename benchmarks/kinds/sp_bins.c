/* sp_bins: values sorted into bins: how many, and their sum, for each. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 3000, 300000, 3000000, 30000000)
#define BINS 64

static void init(int n, float *x)
{
    unsigned seed = 3;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (float)(seed >> 8) / 16777216.0f;
    }
}

void kernel_sp_bins(int n, const float *x, int *count, double *sum)
{
    for (int i = 0; i < n; i++) {
        int bin = (int)(x[i] * BINS);
        count[bin]++;
        sum[bin] += x[i];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    float *x = bench_alloc(n, sizeof *x);
    int *count = bench_alloc(BINS, sizeof *count);
    double *sum = bench_alloc(BINS, sizeof *sum);
    init(n, x);

    bench_start();
    kernel_sp_bins(n, x, count, sum);
    bench_stop();

    bench_ints("count", count, BINS);
    bench_doubles("sum", sum, BINS);
    free(x);
    free(count);
    free(sum);
    return 0;
}
