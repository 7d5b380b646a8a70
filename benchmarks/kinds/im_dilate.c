/* im_dilate: each pixel of a grey image becomes the brightest of the five by five around it. */

#include "../kernels/bench.h"

#define W BY_SIZE(15, 51, 641, 1921, 3841)
#define H BY_SIZE(10, 35, 480, 1080, 2160)

static void init(int h, int w, unsigned char in[h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            in[y][x] = (unsigned char)(x * 13 + y * 7 + x * y / 11);
}

void kernel_im_dilate(int h, int w, unsigned char in[h][w], unsigned char out[h][w])
{
    for (int y = 2; y < h - 2; y++)
        for (int x = 2; x < w - 2; x++) {
            unsigned char most = 0;
            for (int i = -2; i <= 2; i++)
                for (int j = -2; j <= 2; j++)
                    if (in[y + i][x + j] > most)
                        most = in[y + i][x + j];
            out[y][x] = most;
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
    kernel_im_dilate(h, w, in, out);
    bench_stop();

    bench_bytes("out", out, (long)h * w);
    free(in);
    free(out);
    return 0;
}
