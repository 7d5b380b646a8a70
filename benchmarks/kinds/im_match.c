/* im_match: where in a grey image a block of 16 x 16 is found best, by the sum of absolute differences. */

#include "../kernels/bench.h"

#define W BY_SIZE(20, 32, 96, 192, 384)
#define SIDE 16

static void init(int w, unsigned char in[w][w], unsigned char block[SIDE][SIDE])
{
    for (int y = 0; y < w; y++)
        for (int x = 0; x < w; x++)
            in[y][x] = (unsigned char)(x * 13 + y * 29 + x * y % 37);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            block[y][x] = (unsigned char)(in[y + 3][x + 2] + (x * y & 3));
}

void kernel_im_match(int w, unsigned char in[w][w], unsigned char block[SIDE][SIDE], int *found)
{
    int best = 1 << 30, at_x = 0, at_y = 0;

    for (int y = 0; y <= w - SIDE; y++)
        for (int x = 0; x <= w - SIDE; x++) {
            int sum = 0;
            for (int j = 0; j < SIDE; j++)
                for (int i = 0; i < SIDE; i++) {
                    int d = in[y + j][x + i] - block[j][i];
                    sum += d < 0 ? -d : d;
                }
            if (sum < best) {
                best = sum;
                at_x = x;
                at_y = y;
            }
        }
    found[0] = best;
    found[1] = at_x;
    found[2] = at_y;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int w = bench_size(W);
    unsigned char (*in)[w] = bench_alloc((size_t)w * w, 1);
    unsigned char block[SIDE][SIDE];
    int *found = bench_alloc(3, sizeof(int));
    init(w, in, block);

    bench_start();
    kernel_im_match(w, in, block, found);
    bench_stop();

    bench_ints("found", found, 3);
    free(in);
    free(found);
    return 0;
}
