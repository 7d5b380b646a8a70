/* np_correlate: a filter of seven taps along rows, and one along columns. */

#include "../kernels/bench.h"

#define N BY_SIZE(8, 40, 800, 2000, 5000)

static void init(int n, float *image, float *between, float *out)
{
    for (int i = 0; i < n * n; i++) {
        image[i] = (float)(i * 37 % 101) / 101 + (float)0.25;
        between[i] = (float)(i * 45 % 103) / 103 + (float)0.25;
        out[i] = (float)(i * 53 % 105) / 105 + (float)0.25;
    }
}

void kernel_np_correlate(int n, const float *image, float *between, float *out)
{
    static const float taps[7] = {0.03f, 0.11f, 0.22f, 0.28f, 0.22f, 0.11f, 0.03f};
    for (int i = 0; i < n; i++)
        for (int j = 3; j < n - 3; j++) {
            float sum = 0;
            for (int k = 0; k < 7; k++)
                sum += taps[k] * image[i * n + j + k - 3];
            between[i * n + j] = sum;
        }
    for (int i = 3; i < n - 3; i++)
        for (int j = 3; j < n - 3; j++) {
            float sum = 0;
            for (int k = 0; k < 7; k++)
                sum += taps[k] * between[(i + k - 3) * n + j];
            out[i * n + j] = sum;
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    float *image = bench_alloc(n * n, sizeof *image);
    float *between = bench_alloc(n * n, sizeof *between);
    float *out = bench_alloc(n * n, sizeof *out);
    init(n, image, between, out);

    bench_start();
    kernel_np_correlate(n, image, between, out);
    bench_stop();

    bench_floats("between", between, n * n);
    bench_floats("out", out, n * n);
    free(image);
    free(between);
    free(out);
    return 0;
}
