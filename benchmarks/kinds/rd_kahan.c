/* rd_kahan: a compensated sum of floats. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 3000, 300000, 3000000, 30000000)

static void init(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 1.0f / (float)(1 + i % 1001);
}

void kernel_rd_kahan(int n, const float *x, float *result)
{
    float sum = 0.0f, lost = 0.0f;
    for (int i = 0; i < n; i++) {
        float y = x[i] - lost;
        float t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    *result = sum;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    float *x = bench_alloc(n, sizeof *x);
    float *result = bench_alloc(1, sizeof *result);
    init(n, x);

    bench_start();
    kernel_rd_kahan(n, x, result);
    bench_stop();

    bench_floats("result", result, 1);
    free(x);
    free(result);
    return 0;
}
