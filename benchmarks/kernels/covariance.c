/* covariance: the covariance matrix of m variables observed n times. */

#include "bench.h"

#define M BY_SIZE(28, 80, 240, 1200, 2600)
#define N BY_SIZE(32, 100, 260, 1400, 3000)

static void init(int m, int n, double data[N][M])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] = (double)i * j / m;
}

void kernel_covariance(int m, int n, double float_n,
                       double data[N][M], double cov[M][M], double mean[M])
{
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] -= mean[j];

    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0.0;
            for (int k = 0; k < n; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= float_n - 1.0;
            cov[j][i] = cov[i][j];
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int m = bench_size(M), n = bench_size(N);
    double (*data)[M] = bench_alloc(N, sizeof *data);
    double (*cov)[M] = bench_alloc(M, sizeof *cov);
    double *mean = bench_alloc(M, sizeof *mean);
    init(m, n, data);

    bench_start();
    kernel_covariance(m, n, n, data, cov, mean);
    bench_stop();

    bench_doubles("cov", cov, (long)m * m);
    free(data);
    free(cov);
    free(mean);
    return 0;
}
