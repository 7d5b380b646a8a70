/* dp_edit_rows: the edit distance of two strings in two rows that change places. */

#include "../kernels/bench.h"

#define N BY_SIZE(40, 200, 1500, 8000, 30000)
#define M BY_SIZE(50, 220, 1300, 9000, 30000)

static void init(int n, int m, char *a, char *b)
{
    for (int i = 0; i < n; i++)
        a[i] = (char)('a' + i * 7 % 11);
    for (int j = 0; j < m; j++)
        b[j] = (char)('a' + j * 5 % 13);
}

void kernel_dp_edit_rows(int n, int m, const char *a, const char *b, int *previous, int *current,
                         int *distance)
{
    for (int j = 0; j <= m; j++)
        previous[j] = j;
    for (int i = 1; i <= n; i++) {
        current[0] = i;
        for (int j = 1; j <= m; j++) {
            int least = previous[j - 1] + (a[i - 1] != b[j - 1]);
            if (previous[j] + 1 < least)
                least = previous[j] + 1;
            if (current[j - 1] + 1 < least)
                least = current[j - 1] + 1;
            current[j] = least;
        }
        int *swap = previous;
        previous = current;
        current = swap;
    }
    *distance = previous[m];
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(M);
    char *a = bench_alloc(n, 1);
    char *b = bench_alloc(m, 1);
    int *rows = bench_alloc(2 * (m + 1), sizeof *rows);
    int *distance = bench_alloc(1, sizeof *distance);
    init(n, m, a, b);

    bench_start();
    kernel_dp_edit_rows(n, m, a, b, rows, rows + m + 1, distance);
    bench_stop();

    bench_ints("distance", distance, 1);
    free(a);
    free(b);
    free(rows);
    free(distance);
    return 0;
}
