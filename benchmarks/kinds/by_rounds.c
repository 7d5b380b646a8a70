/* by_rounds: blocks scrambled by additions, rotations and exclusive or, as ciphers and hashes do. */

#include "../kernels/bench.h"

#define BLOCKS BY_SIZE(3, 50, 5000, 100000, 1000000)
#define ROUNDS 10
#define ROTATED(x, n) ((x) << (n) | (x) >> (32 - (n)))

static void quarter(unsigned *a, unsigned *b, unsigned *c, unsigned *d)
{
    *b ^= ROTATED(*a + *d, 7);
    *c ^= ROTATED(*b + *a, 9);
    *d ^= ROTATED(*c + *b, 13);
    *a ^= ROTATED(*d + *c, 18);
}

void kernel_by_rounds(int blocks, const unsigned *key, unsigned *out)
{
    for (int block = 0; block < blocks; block++) {
        unsigned x[16];
        for (int i = 0; i < 16; i++)
            x[i] = key[i];
        x[8] = (unsigned)block;
        for (int round = 0; round < ROUNDS; round++) {
            quarter(&x[0], &x[4], &x[8], &x[12]);
            quarter(&x[5], &x[9], &x[13], &x[1]);
            quarter(&x[10], &x[14], &x[2], &x[6]);
            quarter(&x[15], &x[3], &x[7], &x[11]);
            quarter(&x[0], &x[1], &x[2], &x[3]);
            quarter(&x[5], &x[6], &x[7], &x[4]);
            quarter(&x[10], &x[11], &x[8], &x[9]);
            quarter(&x[15], &x[12], &x[13], &x[14]);
        }
        for (int i = 0; i < 16; i++)
            out[16 * block + i] = x[i] + key[i];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int blocks = bench_size(BLOCKS);
    unsigned key[16];
    unsigned *out = bench_alloc(16L * blocks, sizeof *out);
    for (unsigned i = 0; i < 16; i++)
        key[i] = i * 0x9e3779b9u + 1;

    bench_start();
    kernel_by_rounds(blocks, key, out);
    bench_stop();

    bench_ints("out", (const int *)out, 16L * blocks);
    free(out);
    return 0;
}
