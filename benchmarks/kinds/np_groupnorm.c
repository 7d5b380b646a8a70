/* np_groupnorm: groups of four rows, moved to mean zero and scaled to variance one. */

#include "../kernels/bench.h"

#include <math.h>

#define N BY_SIZE(8, 40, 400, 1200, 3000)

static void init(int n, double *in, double *out)
{
    for (int i = 0; i < n * n; i++) {
        in[i] = (double)(i * 37 % 101) / 101 + (double)0.25;
        out[i] = (double)(i * 45 % 103) / 103 + (double)0.25;
    }
}

void kernel_np_groupnorm(int n, const double *in, double *out)
{
    for (int g = 0; g + 4 <= n; g += 4) {
        double sum = 0, squares = 0;
        for (int i = g; i < g + 4; i++)
            for (int j = 0; j < n; j++) {
                sum += in[i * n + j];
                squares += in[i * n + j] * in[i * n + j];
            }
        double mean = sum / (4 * n), variance = squares / (4 * n) - mean * mean;
        double scale = 1 / sqrt(variance + 1e-5);
        for (int i = g; i < g + 4; i++)
            for (int j = 0; j < n; j++)
                out[i * n + j] = (in[i * n + j] - mean) * scale;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double *in = bench_alloc(n * n, sizeof *in);
    double *out = bench_alloc(n * n, sizeof *out);
    init(n, in, out);

    bench_start();
    kernel_np_groupnorm(n, in, out);
    bench_stop();

    bench_doubles("out", out, n * n);
    free(in);
    free(out);
    return 0;
}
