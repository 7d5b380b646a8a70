/* dp_floyd: the shortest ways between all nodes of a graph, by Floyd and Warshall. */

#include "../kernels/bench.h"

#define N BY_SIZE(10, 30, 200, 600, 1600)

static void init(int n, int d[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            d[i][j] = i == j ? 0 : (i * 7919 + j * 104729) % 9973 + 1;
}

void kernel_dp_floyd(int n, int d[n][n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    int (*d)[n] = bench_alloc((size_t)n * n, sizeof(int));
    init(n, d);

    bench_start();
    kernel_dp_floyd(n, d);
    bench_stop();

    bench_bytes("d", d, (long)n * n * sizeof(int));
    free(d);
    return 0;
}
