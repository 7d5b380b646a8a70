/* im_hue: hue, saturation and value of pixels of three bytes, by divisions of integers. */

#include "../kernels/bench.h"

#define N BY_SIZE(50, 1000, 100000, 1000000, 4000000)

static void init(int n, unsigned char *in)
{
    unsigned seed = 5;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        in[i] = (unsigned char)(seed >> 24);
    }
}

void kernel_im_hue(int n, const unsigned char *in, unsigned char *out)
{
    for (int i = 0; i < n; i++) {
        int r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
        int most = r > g ? r : g, least = r < g ? r : g;
        if (b > most)
            most = b;
        if (b < least)
            least = b;
        int range = most - least, hue;
        if (range == 0)
            hue = 0;
        else if (most == r)
            hue = 43 * (g - b) / range;
        else if (most == g)
            hue = 85 + 43 * (b - r) / range;
        else
            hue = 171 + 43 * (r - g) / range;
        out[3 * i] = (unsigned char)hue;
        out[3 * i + 1] = most == 0 ? 0 : (unsigned char)(255 * range / most);
        out[3 * i + 2] = (unsigned char)most;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    unsigned char *in = bench_alloc(3 * n, 1), *out = bench_alloc(3 * n, 1);
    init(3 * n, in);

    bench_start();
    kernel_im_hue(n, in, out);
    bench_stop();

    bench_bytes("out", out, 3L * n);
    free(in);
    free(out);
    return 0;
}
