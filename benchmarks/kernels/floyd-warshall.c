/* floyd-warshall: the lengths of the shortest paths between all pairs of nodes. Integers.
   C99 style: the size is a parameter. */

#include "bench.h"

#define N BY_SIZE(60, 180, 500, 2800, 5600)

static void init(int n, int path[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sum = i + j;
            path[i][j] = i * j % 7 + 1;
            if (sum % 13 == 0 || sum % 7 == 0 || sum % 11 == 0)
                path[i][j] = 999;
        }
}

void kernel_floyd_warshall(int n, int path[n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j]
                                                                  : path[i][k] + path[k][j];
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    int (*path)[n] = bench_alloc(n, sizeof *path);
    init(n, path);

    bench_start();
    kernel_floyd_warshall(n, path);
    bench_stop();

    bench_ints("path", path, (long)n * n);
    free(path);
    return 0;
}
