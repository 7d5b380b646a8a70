/* im_mosaic: colours of a Bayer mosaic (red and blue of every other pixel), what is missing from its neighbours. */

#include "../kernels/bench.h"

#define W BY_SIZE(16, 50, 480, 960, 1920)
#define H BY_SIZE(10, 36, 360, 540, 1080)

static void init(int n, unsigned short *raw)
{
    for (int i = 0; i < n; i++)
        raw[i] = (unsigned short)((i * 131 + i / 7) & 1023);
}

void kernel_im_mosaic(int w, int h, unsigned short raw[h][w], unsigned short r[h][w],
                      unsigned short g[h][w], unsigned short b[h][w])
{
    for (int y = 2; y < h - 2; y += 2)
        for (int x = 2; x < w - 2; x += 2) {
            g[y][x] = raw[y][x];
            r[y][x] = (raw[y][x - 1] + raw[y][x + 1]) >> 1;
            b[y][x] = (raw[y - 1][x] + raw[y + 1][x]) >> 1;
            r[y][x + 1] = raw[y][x + 1];
            g[y][x + 1] = (raw[y][x] + raw[y][x + 2] + raw[y - 1][x + 1] + raw[y + 1][x + 1]) >> 2;
            b[y][x + 1] = (raw[y - 1][x] + raw[y - 1][x + 2] + raw[y + 1][x] + raw[y + 1][x + 2]) >> 2;
            b[y + 1][x] = raw[y + 1][x];
            g[y + 1][x] = (raw[y][x] + raw[y + 2][x] + raw[y + 1][x - 1] + raw[y + 1][x + 1]) >> 2;
            r[y + 1][x] = (raw[y][x - 1] + raw[y][x + 1] + raw[y + 2][x - 1] + raw[y + 2][x + 1]) >> 2;
            g[y + 1][x + 1] = raw[y + 1][x + 1];
            r[y + 1][x + 1] = (raw[y][x + 1] + raw[y + 2][x + 1]) >> 1;
            b[y + 1][x + 1] = (raw[y + 1][x] + raw[y + 1][x + 2]) >> 1;
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int w = bench_size(W), h = bench_size(H);
    unsigned short (*raw)[w] = bench_alloc((size_t)w * h, sizeof(short));
    unsigned short (*r)[w] = bench_alloc((size_t)w * h, sizeof(short));
    unsigned short (*g)[w] = bench_alloc((size_t)w * h, sizeof(short));
    unsigned short (*b)[w] = bench_alloc((size_t)w * h, sizeof(short));
    init(w * h, raw[0]);

    bench_start();
    kernel_im_mosaic(w, h, raw, r, g, b);
    bench_stop();

    bench_shorts("r", r, (long)w * h);
    bench_shorts("g", g, (long)w * h);
    bench_shorts("b", b, (long)w * h);
    free(raw);
    free(r);
    free(g);
    free(b);
    return 0;
}
