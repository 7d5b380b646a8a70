/* relax: successive over-relaxation of a plane, written with while and do-while loops. */

#include "bench.h"

#define SWEEPS BY_SIZE(10, 20, 50, 200, 400)
#define N BY_SIZE(30, 90, 250, 1300, 2800)

static void init(int n, double u[N][N], double f[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            u[i][j] = (double)((i * 7 + j * 3) % n) / n;
            f[i][j] = (double)((i + j) % 5) / 5;
        }
}

void kernel_relax(int sweeps, int n, double omega, double u[N][N], double f[N][N])
{
    int sweep = 0;
    while (sweep < sweeps) {
        int i = 1;
        while (i + 1 < n) {
            int j = 1;
            do {
                u[i][j] += omega
                           * (0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]
                                      + f[i][j])
                              - u[i][j]);
                j++;
            } while (j < n - 1);
            i++;
        }
        sweep++;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int sweeps = bench_size(SWEEPS), n = bench_size(N);
    double (*u)[N] = bench_alloc(N, sizeof *u);
    double (*f)[N] = bench_alloc(N, sizeof *f);
    init(n, u, f);

    bench_start();
    kernel_relax(sweeps, n, 1.25, u, f);
    bench_stop();

    bench_doubles("u", u, (long)n * n);
    free(u);
    free(f);
    return 0;
}
