/* im_halve: a grey image at half its width and height, each pixel the rounded mean of four. */

#include "../kernels/bench.h"

#define W BY_SIZE(15, 50, 480, 960, 1920)
#define H BY_SIZE(10, 35, 360, 540, 1080)

static void init(int n, unsigned char *in)
{
    for (int i = 0; i < n; i++)
        in[i] = (unsigned char)(i * 13 + i / 11);
}

void kernel_im_halve(int w, int h, const unsigned char *in, unsigned char *out)
{
    for (int y = 0; y < h; y++) {
        const unsigned char *upper = in + 2 * y * (2 * w);
        const unsigned char *lower = upper + 2 * w;
        for (int x = 0; x < w; x++)
            out[y * w + x] = (unsigned char)((upper[2 * x] + upper[2 * x + 1] + lower[2 * x]
                                              + lower[2 * x + 1] + 2)
                                             / 4);
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int w = bench_size(W), h = bench_size(H);
    unsigned char *in = bench_alloc(4 * w * h, 1);
    unsigned char *out = bench_alloc(w * h, 1);
    init(4 * w * h, in);

    bench_start();
    kernel_im_halve(w, h, in, out);
    bench_stop();

    bench_bytes("out", out, (long)w * h);
    free(in);
    free(out);
    return 0;
}
