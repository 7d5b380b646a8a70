/* im_sharpen: five times a pixel less its four neighbours, cut to what a byte holds. */

#include "../kernels/bench.h"

#define W BY_SIZE(15, 51, 641, 1921, 3841)
#define H BY_SIZE(10, 35, 480, 1080, 2160)

static void init(int h, int w, unsigned char in[h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            in[y][x] = (unsigned char)(x * 3 + y * 5 + x * y / 97);
}

void kernel_im_sharpen(int h, int w, unsigned char in[h][w], unsigned char out[h][w])
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int v = 5 * in[y][x] - in[y - 1][x] - in[y + 1][x] - in[y][x - 1] - in[y][x + 1];
            out[y][x] = v < 0 ? 0 : v > 255 ? 255 : v;
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int h = bench_size(H), w = bench_size(W);
    unsigned char (*in)[w] = bench_alloc((size_t)h * w, 1);
    unsigned char (*out)[w] = bench_alloc((size_t)h * w, 1);
    init(h, w, in);
    memset(out, 0, (size_t)h * w);

    bench_start();
    kernel_im_sharpen(h, w, in, out);
    bench_stop();

    bench_bytes("out", out, (long)h * w);
    free(in);
    free(out);
    return 0;
}
