/* dp_damerau: the edit distance of two strings where neighbours may change places, by nested macros
   for the least. */

#include "../kernels/bench.h"

#define N BY_SIZE(12, 90, 900, 4000, 10000)
#define M BY_SIZE(15, 80, 850, 4200, 10000)
#define MIN(x, y) ((x) < (y) ? (x) : (y))

static void init(int n, int m, unsigned char *a, unsigned char *b)
{
    unsigned seed = 3;
    for (int i = 0; i < n + m; i++) {
        seed = seed * 1664525u + 1013904223u;
        *(i < n ? a + i : b + i - n) = (unsigned char)(seed >> 30);
    }
}

void kernel_dp_damerau(int n, int m, const unsigned char *a, const unsigned char *b,
                       int d[n + 1][m + 1])
{
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int cost = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = MIN(MIN(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = MIN(d[i][j], d[i - 2][j - 2] + 1);
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(M);
    unsigned char *a = bench_alloc(n, 1), *b = bench_alloc(m, 1);
    int (*d)[m + 1] = bench_alloc((size_t)(n + 1) * (m + 1), sizeof(int));
    init(n, m, a, b);

    bench_start();
    kernel_dp_damerau(n, m, a, b, d);
    bench_stop();

    bench_ints("d", d, (long)(n + 1) * (m + 1));
    free(a);
    free(b);
    free(d);
    return 0;
}
