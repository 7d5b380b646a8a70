/* im_rgb_to_yuv: triples of bytes to three planes, in integers. */

#include "../kernels/bench.h"

#define W BY_SIZE(30, 100, 640, 1920, 3840)
#define H BY_SIZE(20, 70, 480, 1080, 2160)

typedef unsigned char byte;

static void init(int n, byte *rgb)
{
    for (int i = 0; i < 3 * n; i++)
        rgb[i] = (byte)(i * 5 + i / 7);
}

void kernel_im_rgb_to_yuv(int w, int h, const byte *restrict rgb, byte *restrict luma,
                          byte *restrict blue, byte *restrict red)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const byte *p = rgb + 3 * (y * w + x);
            int r = p[0], g = p[1], b = p[2];
            luma[y * w + x] = (byte)((77 * r + 150 * g + 29 * b + 128) >> 8);
            blue[y * w + x] = (byte)(((-43 * r - 85 * g + 128 * b + 128) >> 8) + 128);
            red[y * w + x] = (byte)(((128 * r - 107 * g - 21 * b + 128) >> 8) + 128);
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int w = bench_size(W), h = bench_size(H);
    byte *rgb = bench_alloc(3 * w * h, 1);
    byte *luma = bench_alloc(w * h, 1);
    byte *blue = bench_alloc(w * h, 1);
    byte *red = bench_alloc(w * h, 1);
    init(w * h, rgb);

    bench_start();
    kernel_im_rgb_to_yuv(w, h, rgb, luma, blue, red);
    bench_stop();

    bench_bytes("luma", luma, (long)w * h);
    bench_bytes("blue", blue, (long)w * h);
    bench_bytes("red", red, (long)w * h);
    free(rgb);
    free(luma);
    free(blue);
    free(red);
    return 0;
}
