/* im_median3: the median of each 3 x 3 window of a grey image, by exchanges. */

#include "../kernels/bench.h"

#define W BY_SIZE(30, 100, 640, 1920, 3840)
#define H BY_SIZE(20, 70, 480, 1080, 2160)

typedef unsigned char byte;

#define ORDER(a, b)      \
    if ((a) > (b)) {     \
        byte t = (a);    \
        (a) = (b);       \
        (b) = t;         \
    }

static void init(int w, int h, byte in[H][W])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            in[y][x] = (byte)(x * 37 ^ y * 11);
}

void kernel_im_median3(int w, int h, byte in[H][W], byte out[H][W])
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            byte a = in[y - 1][x - 1], b = in[y - 1][x], c = in[y - 1][x + 1];
            byte d = in[y][x - 1], e = in[y][x], f = in[y][x + 1];
            byte g = in[y + 1][x - 1], k = in[y + 1][x], l = in[y + 1][x + 1];
            ORDER(b, c) ORDER(e, f) ORDER(k, l)
            ORDER(a, b) ORDER(d, e) ORDER(g, k)
            ORDER(b, c) ORDER(e, f) ORDER(k, l)
            ORDER(a, d) ORDER(f, l) ORDER(e, k)
            ORDER(d, g) ORDER(b, e) ORDER(c, f)
            ORDER(e, k) ORDER(e, c) ORDER(g, e)
            ORDER(e, c)
            out[y][x] = e;
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int w = bench_size(W), h = bench_size(H);
    byte (*in)[W] = bench_alloc(H, sizeof *in);
    byte (*out)[W] = bench_alloc(H, sizeof *out);
    init(w, h, in);

    bench_start();
    kernel_im_median3(w, h, in, out);
    bench_stop();

    bench_bytes("out", out, (long)W * H);
    free(in);
    free(out);
    return 0;
}
