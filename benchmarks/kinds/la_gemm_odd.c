/* la_gemm_odd: products of matrices with odd sizes, in memory that is one row after the other. */

#include "../kernels/bench.h"

#define N BY_SIZE(7, 13, 37, 61, 127)
#define TIMES BY_SIZE(2, 5, 50, 200, 400)

static void init(int n, float *a, float *b)
{
    for (int i = 0; i < n * n; i++) {
        a[i] = (float)(i % 17) / 17;
        b[i] = (float)(i % 13) / 13;
    }
}

void kernel_la_gemm_odd(int times, int n, const float *a, const float *b, float *c)
{
    for (int t = 0; t < times; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0.0f;
                for (int k = 0; k < n; k++)
                    sum += a[i * n + k] * b[k * n + j];
                c[i * n + j] += sum;
            }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int times = bench_size(TIMES), n = bench_size(N);
    float *a = bench_alloc(n * n, sizeof *a);
    float *b = bench_alloc(n * n, sizeof *b);
    float *c = bench_alloc(n * n, sizeof *c);
    init(n, a, b);

    bench_start();
    kernel_la_gemm_odd(times, n, a, b, c);
    bench_stop();

    bench_floats("c", c, (long)n * n);
    free(a);
    free(b);
    free(c);
    return 0;
}
