/* st_wave: waves on a membrane: three grids, and copies from one to the next. */

#include "../kernels/bench.h"

#define N BY_SIZE(8, 40, 400, 1200, 3000)

static void init(int n, double *old, double *now, double *next)
{
    for (int i = 0; i < n * n; i++) {
        old[i] = (double)(i * 37 % 101) / 101 + (double)0.25;
        now[i] = (double)(i * 45 % 103) / 103 + (double)0.25;
        next[i] = (double)(i * 53 % 105) / 105 + (double)0.25;
    }
}

void kernel_st_wave(int n, double *old, double *now, double *next)
{
    for (int t = 0; t < 5; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i * n + j] = 2 * now[i * n + j] - old[i * n + j] +
                                  0.1 * (now[(i - 1) * n + j] + now[(i + 1) * n + j] +
                                         now[i * n + j - 1] + now[i * n + j + 1] - 4 * now[i * n + j]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                old[i * n + j] = now[i * n + j];
                now[i * n + j] = next[i * n + j];
            }
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double *old = bench_alloc(n * n, sizeof *old);
    double *now = bench_alloc(n * n, sizeof *now);
    double *next = bench_alloc(n * n, sizeof *next);
    init(n, old, now, next);

    bench_start();
    kernel_st_wave(n, old, now, next);
    bench_stop();

    bench_doubles("old", old, n * n);
    bench_doubles("now", now, n * n);
    bench_doubles("next", next, n * n);
    free(old);
    free(now);
    free(next);
    return 0;
}
