/* np_maxpool: the greatest of each 2 x 2 square, channel by channel. */

#include "../kernels/bench.h"

#define CHANNELS BY_SIZE(2, 8, 32, 64, 128)
#define SIDE BY_SIZE(5, 12, 56, 112, 112)

static void init(int n, float *in)
{
    for (int i = 0; i < n; i++)
        in[i] = (float)(i * 29 % 1009) - 500.0f;
}

void kernel_np_maxpool(int channels, int side, const float *in, float *out)
{
    for (int c = 0; c < channels; c++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                float top = -1e30f;
                for (int dy = 0; dy < 2; dy++)
                    for (int dx = 0; dx < 2; dx++) {
                        float value = in[(c * 2 * side + 2 * y + dy) * 2 * side + 2 * x + dx];
                        if (value > top)
                            top = value;
                    }
                out[(c * side + y) * side + x] = top;
            }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int channels = bench_size(CHANNELS), side = bench_size(SIDE);
    int n = channels * side * side;
    float *in = bench_alloc(4 * n, sizeof *in);
    float *out = bench_alloc(n, sizeof *out);
    init(4 * n, in);

    bench_start();
    kernel_np_maxpool(channels, side, in, out);
    bench_stop();

    bench_floats("out", out, n);
    free(in);
    free(out);
    return 0;
}
