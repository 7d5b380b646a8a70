/* la_trsm_columns: many right-hand sides, one after the other, of a lower triangle. */

#include "../kernels/bench.h"

#define N BY_SIZE(8, 40, 300, 900, 2000)
#define M BY_SIZE(5, 30, 200, 800, 2000)

static void init(int n, int m, double l[N][N], double b[N][M])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            l[i][j] = 0.01 * ((i + 2 * j) % 11);
        l[i][i] = 2.0 + i % 3;
        for (int j = 0; j < m; j++)
            b[i][j] = 1.0 + (i * 3 + j) % 13;
    }
}

void kernel_la_trsm_columns(int n, int m, double l[N][N], double b[N][M])
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            double left = b[i][j];
            for (int k = 0; k < i; k++)
                left -= l[i][k] * b[k][j];
            b[i][j] = left / l[i][i];
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(M);
    double (*l)[N] = bench_alloc(N, sizeof *l);
    double (*b)[M] = bench_alloc(N, sizeof *b);
    init(n, m, l, b);

    bench_start();
    kernel_la_trsm_columns(n, m, l, b);
    bench_stop();

    bench_doubles("b", b, (long)n * m);
    free(l);
    free(b);
    return 0;
}
