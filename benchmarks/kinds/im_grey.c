/* im_grey: the brightness of pixels of three colours. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 4001, 1000001, 10000001, 100000001)

static void init(int n, unsigned char *colours)
{
    unsigned seed = 7;
    for (int i = 0; i < 3 * n; i++) {
        seed = seed * 1664525u + 1013904223u;
        colours[i] = (unsigned char)(seed >> 24);
    }
}

void kernel_im_grey(int n, const unsigned char *colours, unsigned char *grey)
{
    for (int i = 0; i < n; i++)
        grey[i] = (77 * colours[3 * i] + 150 * colours[3 * i + 1] + 29 * colours[3 * i + 2]) >> 8;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    unsigned char *colours = bench_alloc(3 * (size_t)n, 1);
    unsigned char *grey = bench_alloc(n, 1);
    init(n, colours);

    bench_start();
    kernel_im_grey(n, colours, grey);
    bench_stop();

    bench_bytes("grey", grey, n);
    free(colours);
    free(grey);
    return 0;
}
