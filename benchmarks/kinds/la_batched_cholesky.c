/* la_batched_cholesky: many matrices of 5 x 5 decomposed, each by itself. */

#include "../kernels/bench.h"

#define BATCH BY_SIZE(10, 100, 10000, 100000, 400000)

#include <math.h>

static void init(int batch, double a[BATCH][5][5])
{
    for (int m = 0; m < batch; m++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                a[m][i][j] = i == j ? 8.0 + m % 7 : 1.0 / (1 + i + j);
}

void kernel_la_batched_cholesky(int batch, double a[BATCH][5][5], double l[BATCH][5][5])
{
    for (int m = 0; m < batch; m++)
        for (int j = 0; j < 5; j++) {
            double diagonal = a[m][j][j];
            for (int k = 0; k < j; k++)
                diagonal -= l[m][j][k] * l[m][j][k];
            l[m][j][j] = sqrt(diagonal);
            for (int i = j + 1; i < 5; i++) {
                double sum = a[m][i][j];
                for (int k = 0; k < j; k++)
                    sum -= l[m][i][k] * l[m][j][k];
                l[m][i][j] = sum / l[m][j][j];
            }
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int batch = bench_size(BATCH);
    double (*a)[5][5] = bench_alloc(BATCH, sizeof *a);
    double (*l)[5][5] = bench_alloc(BATCH, sizeof *l);
    init(batch, a);

    bench_start();
    kernel_la_batched_cholesky(batch, a, l);
    bench_stop();

    bench_doubles("l", l, 25L * batch);
    free(a);
    free(l);
    return 0;
}
