/* dp_smith_waterman: the best local alignment of two strings and where it ends. */

#include "../kernels/bench.h"

#define N BY_SIZE(40, 120, 900, 4000, 12000)
#define M BY_SIZE(50, 130, 1100, 5000, 15000)

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void init(int n, int m, char *a, char *b)
{
    for (int i = 0; i < n; i++)
        a[i] = "ACGT"[(i * i + i / 3) % 4];
    for (int j = 0; j < m; j++)
        b[j] = "ACGT"[(j * j + j / 5) % 4];
}

void kernel_dp_smith_waterman(int n, int m, const char *a, const char *b, int h[N + 1][M + 1],
                              int *best)
{
    int top = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int score = h[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
            score = larger(score, h[i - 1][j] - 1);
            score = larger(score, h[i][j - 1] - 1);
            h[i][j] = larger(score, 0);
            top = larger(top, h[i][j]);
        }
    *best = top;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(M);
    char *a = bench_alloc(n, 1);
    char *b = bench_alloc(m, 1);
    int (*h)[M + 1] = bench_alloc(N + 1, sizeof *h);
    int *best = bench_alloc(1, sizeof *best);
    init(n, m, a, b);

    bench_start();
    kernel_dp_smith_waterman(n, m, a, b, h, best);
    bench_stop();

    bench_ints("h", h, (long)(N + 1) * (M + 1));
    bench_ints("best", best, 1);
    free(a);
    free(b);
    free(h);
    free(best);
    return 0;
}
