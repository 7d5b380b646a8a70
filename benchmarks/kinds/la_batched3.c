/* la_batched3: many products of two matrices of 3 x 3. */

#include "../kernels/bench.h"

#define BATCH BY_SIZE(10, 100, 20000, 100000, 400000)

static void init(int batch, double a[BATCH][3][3], double b[BATCH][3][3])
{
    for (int m = 0; m < batch; m++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                a[m][i][j] = 0.25 * ((m + i + 2 * j) % 9);
                b[m][i][j] = 1.0 / (1 + (m + 3 * i + j) % 7);
            }
}

void kernel_la_batched3(int batch, double a[BATCH][3][3], double b[BATCH][3][3],
                        double c[BATCH][3][3])
{
    for (int m = 0; m < batch; m++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0.0;
                for (int k = 0; k < 3; k++)
                    sum += a[m][i][k] * b[m][k][j];
                c[m][i][j] = sum;
            }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int batch = bench_size(BATCH);
    double (*a)[3][3] = bench_alloc(batch, sizeof *a);
    double (*b)[3][3] = bench_alloc(batch, sizeof *b);
    double (*c)[3][3] = bench_alloc(batch, sizeof *c);
    init(batch, a, b);

    bench_start();
    kernel_la_batched3(batch, a, b, c);
    bench_stop();

    bench_doubles("c", c, (long)batch * 3 * 3);
    free(a);
    free(b);
    free(c);
    return 0;
}
