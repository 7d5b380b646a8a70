/* dp_needleman: the score of the best alignment of two sequences, end to end, by a table of scores. */

#include "../kernels/bench.h"

#define N BY_SIZE(12, 90, 1500, 4000, 10000)
#define M BY_SIZE(15, 80, 1400, 4200, 10000)
#define GAP 3

static void init(int n, int m, unsigned char *a, unsigned char *b, int score[4][4])
{
    for (int i = 0; i < n; i++)
        a[i] = (unsigned char)((i * 7 + i / 5) % 4);
    for (int j = 0; j < m; j++)
        b[j] = (unsigned char)((j * 11 + j / 3) % 4);
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++)
            score[p][q] = p == q ? 5 : -1 - (p + q) % 3;
}

void kernel_dp_needleman(int n, int m, const unsigned char *a, const unsigned char *b,
                         int score[4][4], int f[n + 1][m + 1])
{
    for (int i = 0; i <= n; i++)
        f[i][0] = -GAP * i;
    for (int j = 0; j <= m; j++)
        f[0][j] = -GAP * j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int best = f[i - 1][j - 1] + score[a[i - 1]][b[j - 1]];
            if (f[i - 1][j] - GAP > best)
                best = f[i - 1][j] - GAP;
            if (f[i][j - 1] - GAP > best)
                best = f[i][j - 1] - GAP;
            f[i][j] = best;
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(M);
    unsigned char *a = bench_alloc(n, 1), *b = bench_alloc(m, 1);
    int (*f)[m + 1] = bench_alloc((size_t)(n + 1) * (m + 1), sizeof(int));
    int score[4][4];
    init(n, m, a, b, score);

    bench_start();
    kernel_dp_needleman(n, m, a, b, score, f);
    bench_stop();

    bench_ints("f", f, (long)(n + 1) * (m + 1));
    free(a);
    free(b);
    free(f);
    return 0;
}
