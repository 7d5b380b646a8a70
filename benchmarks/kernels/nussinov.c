/* nussinov: the greatest number of base pairs of an RNA sequence without crossings, by dynamic
   programming over intervals [i, j]. Integers. */

#include "bench.h"

#define N BY_SIZE(60, 180, 500, 2500, 5500)

typedef char base; /* A, G, C, T as 0..3; complementary bases add up to 3 */

#define PAIRS(a, b) ((a) + (b) == 3 ? 1 : 0)
#define BEST(a, b) ((a) >= (b) ? (a) : (b))

static void init(int n, base sequence[N])
{
    for (int i = 0; i < n; i++)
        sequence[i] = (base)((i + 1) % 4);
}

void kernel_nussinov(int n, base sequence[N], int table[N][N])
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (j - 1 >= 0)
                table[i][j] = BEST(table[i][j], table[i][j - 1]);
            if (i + 1 < n)
                table[i][j] = BEST(table[i][j], table[i + 1][j]);

            if (j - 1 >= 0 && i + 1 < n) {
                /* neighbours do not pair */
                if (i < j - 1)
                    table[i][j] = BEST(table[i][j], table[i + 1][j - 1]
                                                        + PAIRS(sequence[i], sequence[j]));
                else
                    table[i][j] = BEST(table[i][j], table[i + 1][j - 1]);
            }

            for (int k = i + 1; k < j; k++)
                table[i][j] = BEST(table[i][j], table[i][k] + table[k + 1][j]);
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    base *sequence = bench_alloc(N, sizeof *sequence);
    int (*table)[N] = bench_alloc(N, sizeof *table);
    init(n, sequence);

    bench_start();
    kernel_nussinov(n, sequence, table);
    bench_stop();

    bench_ints("table", table, (long)n * n);
    free(sequence);
    free(table);
    return 0;
}
