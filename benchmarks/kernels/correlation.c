/* correlation: the correlation matrix of m variables observed n times. */

#include "bench.h"

#include <math.h>

#define M BY_SIZE(28, 80, 240, 1200, 2600)
#define N BY_SIZE(32, 100, 260, 1400, 3000)

static void init(int m, int n, double data[N][M])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] = (double)(i * j) / m + i;
}

void kernel_correlation(int m, int n, double float_n,
                        double data[N][M], double corr[M][M], double mean[M], double stddev[M])
{
    double eps = 0.1;

    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }

    for (int j = 0; j < m; j++) {
        stddev[j] = 0.0;
        for (int i = 0; i < n; i++)
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] /= float_n;
        stddev[j] = sqrt(stddev[j]);
        /* A column that hardly varies would be divided by nearly zero. */
        stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
    }

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(float_n) * stddev[j];
        }

    for (int i = 0; i < m - 1; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < m; j++) {
            corr[i][j] = 0.0;
            for (int k = 0; k < n; k++)
                corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[m - 1][m - 1] = 1.0;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int m = bench_size(M), n = bench_size(N);
    double (*data)[M] = bench_alloc(N, sizeof *data);
    double (*corr)[M] = bench_alloc(M, sizeof *corr);
    double *mean = bench_alloc(M, sizeof *mean);
    double *stddev = bench_alloc(M, sizeof *stddev);
    init(m, n, data);

    bench_start();
    kernel_correlation(m, n, n, data, corr, mean, stddev);
    bench_stop();

    bench_doubles("corr", corr, (long)m * m);
    free(data);
    free(corr);
    free(mean);
    free(stddev);
    return 0;
}
