/* dp_seam: the energy of the cheapest seam from the top of an image to each pixel. */

#include "../kernels/bench.h"

#define W BY_SIZE(15, 51, 641, 1921, 3841)
#define H BY_SIZE(10, 35, 480, 1080, 2160)

static void init(int h, int w, int e[h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            e[y][x] = (x * 31 + y * 57 + x * y % 101) % 997;
}

void kernel_dp_seam(int h, int w, int e[h][w], int m[h][w])
{
    for (int x = 0; x < w; x++)
        m[0][x] = e[0][x];
    for (int y = 1; y < h; y++)
        for (int x = 0; x < w; x++) {
            int least = m[y - 1][x];
            if (x > 0 && m[y - 1][x - 1] < least)
                least = m[y - 1][x - 1];
            if (x < w - 1 && m[y - 1][x + 1] < least)
                least = m[y - 1][x + 1];
            m[y][x] = e[y][x] + least;
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int h = bench_size(H), w = bench_size(W);
    int (*e)[w] = bench_alloc((size_t)h * w, sizeof(int));
    int (*m)[w] = bench_alloc((size_t)h * w, sizeof(int));
    init(h, w, e);

    bench_start();
    kernel_dp_seam(h, w, e, m);
    bench_stop();

    bench_bytes("m", m, (long)h * w * sizeof(int));
    free(e);
    free(m);
    return 0;
}
