/* la_batched8: many products of two matrices of 8 x 8. */

#include "../kernels/bench.h"

#define BATCH BY_SIZE(5, 20, 3000, 12000, 50000)

static void init(int batch, double a[BATCH][8][8], double b[BATCH][8][8])
{
    for (int m = 0; m < batch; m++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                a[m][i][j] = 0.25 * ((m + i + 2 * j) % 9);
                b[m][i][j] = 1.0 / (1 + (m + 3 * i + j) % 7);
            }
}

void kernel_la_batched8(int batch, double a[BATCH][8][8], double b[BATCH][8][8],
                        double c[BATCH][8][8])
{
    for (int m = 0; m < batch; m++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                double sum = 0.0;
                for (int k = 0; k < 8; k++)
                    sum += a[m][i][k] * b[m][k][j];
                c[m][i][j] = sum;
            }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int batch = bench_size(BATCH);
    double (*a)[8][8] = bench_alloc(batch, sizeof *a);
    double (*b)[8][8] = bench_alloc(batch, sizeof *b);
    double (*c)[8][8] = bench_alloc(batch, sizeof *c);
    init(batch, a, b);

    bench_start();
    kernel_la_batched8(batch, a, b, c);
    bench_stop();

    bench_doubles("c", c, (long)batch * 8 * 8);
    free(a);
    free(b);
    free(c);
    return 0;
}
