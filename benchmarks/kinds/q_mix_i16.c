/* q_mix_i16: channels of sound with gains in 8.8 fixed point, added up and saturated. */

#include "../kernels/bench.h"

#define CHANNELS BY_SIZE(2, 3, 8, 16, 32)
#define N BY_SIZE(50, 1000, 50000, 500000, 2000000)

static void init(int channels, int n, short *in, short *gain)
{
    for (int i = 0; i < channels * n; i++)
        in[i] = (short)(i * 37 % 20001 - 10000);
    for (int c = 0; c < channels; c++)
        gain[c] = (short)(100 + 60 * c);
}

void kernel_q_mix_i16(int channels, int n, const short *in, const short *gain, short *out)
{
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int c = 0; c < channels; c++)
            sum += (in[c * n + i] * gain[c]) >> 8;
        if (sum > 32767)
            sum = 32767;
        else if (sum < -32768)
            sum = -32768;
        out[i] = (short)sum;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int channels = bench_size(CHANNELS), n = bench_size(N);
    short *in = bench_alloc((size_t)channels * n, sizeof *in);
    short *gain = bench_alloc(channels, sizeof *gain);
    short *out = bench_alloc(n, sizeof *out);
    init(channels, n, in, gain);

    bench_start();
    kernel_q_mix_i16(channels, n, in, gain, out);
    bench_stop();

    bench_shorts("out", out, n);
    free(in);
    free(gain);
    free(out);
    return 0;
}
