/* np_depthwise: a convolution of 3 x 3 for each channel by itself, channels last, and a bound. */

#include "../kernels/bench.h"

#define SIDE BY_SIZE(6, 12, 56, 112, 224)
#define CHANNELS BY_SIZE(3, 8, 48, 64, 64)

static void init(int side, int channels, float in[SIDE][SIDE][CHANNELS],
                 float weight[3][3][CHANNELS], float *bias)
{
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            for (int c = 0; c < channels; c++)
                in[y][x][c] = (float)((x * 3 + y * 5 + c) % 17) / 17;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            for (int c = 0; c < channels; c++)
                weight[y][x][c] = (float)((x + y + c) % 5) / 5 - 0.4f;
    for (int c = 0; c < channels; c++)
        bias[c] = 0.1f * (float)(c % 3);
}

void kernel_np_depthwise(int side, int channels, float in[SIDE][SIDE][CHANNELS],
                         float weight[3][3][CHANNELS], float *bias,
                         float out[SIDE][SIDE][CHANNELS])
{
    for (int y = 0; y < side - 2; y++)
        for (int x = 0; x < side - 2; x++)
            for (int c = 0; c < channels; c++) {
                float sum = bias[c];
                for (int dy = 0; dy < 3; dy++)
                    for (int dx = 0; dx < 3; dx++)
                        sum += in[y + dy][x + dx][c] * weight[dy][dx][c];
                out[y][x][c] = sum < 0.0f ? 0.0f : sum > 6.0f ? 6.0f : sum;
            }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int side = bench_size(SIDE), channels = bench_size(CHANNELS);
    float (*in)[SIDE][CHANNELS] = bench_alloc(SIDE, sizeof *in);
    float (*weight)[3][CHANNELS] = bench_alloc(3, sizeof *weight);
    float *bias = bench_alloc(CHANNELS, sizeof *bias);
    float (*out)[SIDE][CHANNELS] = bench_alloc(SIDE, sizeof *out);
    init(side, channels, in, weight, bias);

    bench_start();
    kernel_np_depthwise(side, channels, in, weight, bias, out);
    bench_stop();

    bench_floats("out", out, (long)SIDE * SIDE * CHANNELS);
    free(in);
    free(weight);
    free(bias);
    free(out);
    return 0;
}
