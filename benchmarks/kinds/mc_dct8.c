/* mc_dct8: the cosine transform of every 8 x 8 block of an image, rows then columns. */

#include "../kernels/bench.h"

#include <math.h>

#define BLOCKS BY_SIZE(3, 8, 40, 120, 240) /* in each direction */

static void init(int n, float *image, float c[8][8])
{
    for (int i = 0; i < n * n; i++)
        image[i] = (float)(i * 7 % 255) - 128.0f;
    for (int u = 0; u < 8; u++)
        for (int x = 0; x < 8; x++)
            c[u][x] = (float)(cos((2 * x + 1) * u * 3.14159265358979 / 16) * (u ? 0.5 : 0.35355339));
}

void kernel_mc_dct8(int blocks, const float *image, float c[8][8], float *out)
{
    int stride = 8 * blocks;
    for (int by = 0; by < blocks; by++)
        for (int bx = 0; bx < blocks; bx++) {
            const float *block = image + 8 * by * stride + 8 * bx;
            float *result = out + 8 * by * stride + 8 * bx;
            float rows[8][8];
            for (int y = 0; y < 8; y++)
                for (int u = 0; u < 8; u++) {
                    float sum = 0.0f;
                    for (int x = 0; x < 8; x++)
                        sum += c[u][x] * block[y * stride + x];
                    rows[y][u] = sum;
                }
            for (int v = 0; v < 8; v++)
                for (int u = 0; u < 8; u++) {
                    float sum = 0.0f;
                    for (int y = 0; y < 8; y++)
                        sum += c[v][y] * rows[y][u];
                    result[v * stride + u] = sum;
                }
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int blocks = bench_size(BLOCKS), n = 8 * blocks;
    float *image = bench_alloc(n * n, sizeof *image);
    float *out = bench_alloc(n * n, sizeof *out);
    float (*c)[8] = bench_alloc(8, sizeof *c);
    init(n, image, c);

    bench_start();
    kernel_mc_dct8(blocks, image, c, out);
    bench_stop();

    bench_floats("out", out, (long)n * n);
    free(image);
    free(out);
    free(c);
    return 0;
}
