/* st_parity: nine points of a plane in two buffers, the step's parity says which. */

#include "../kernels/bench.h"

#define N BY_SIZE(15, 50, 200, 1000, 2000)
#define STEPS BY_SIZE(3, 10, 50, 200, 200)

static void init(int n, float a[2][N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[0][i][j] = a[1][i][j] = (float)((i * 5 + j * 3) % 31) / 31;
}

void kernel_st_parity(int n, int steps, float a[2][N][N])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[(t + 1) % 2][i][j] = 0.25f * a[t % 2][i][j]
                                       + 0.125f
                                             * (a[t % 2][i - 1][j] + a[t % 2][i + 1][j]
                                                + a[t % 2][i][j - 1] + a[t % 2][i][j + 1])
                                       + 0.0625f
                                             * (a[t % 2][i - 1][j - 1] + a[t % 2][i - 1][j + 1]
                                                + a[t % 2][i + 1][j - 1] + a[t % 2][i + 1][j + 1]);
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), steps = bench_size(STEPS);
    float (*a)[N][N] = bench_alloc(2, sizeof *a);
    init(n, a);

    bench_start();
    kernel_st_parity(n, steps, a);
    bench_stop();

    bench_floats("a", a, 2L * N * N);
    free(a);
    return 0;
}
