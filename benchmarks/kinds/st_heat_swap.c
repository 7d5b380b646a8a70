/* st_heat_swap: heat in a plane, in two buffers whose pointers change places. */

#include "../kernels/bench.h"

#define N BY_SIZE(15, 50, 200, 1000, 2000)
#define STEPS BY_SIZE(3, 10, 60, 200, 200)

static void init(int n, double *a, double *b)
{
    for (int i = 0; i < n * n; i++)
        a[i] = b[i] = (double)(i * 7 % 101) / 101;
}

void kernel_st_heat_swap(int n, int steps, double *a, double *b)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = a[i * n + j]
                               + 0.125
                                     * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1]
                                        + a[i * n + j + 1] - 4.0 * a[i * n + j]);
        double *swap = a;
        a = b;
        b = swap;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), steps = bench_size(STEPS);
    double *a = bench_alloc(n * n, sizeof *a);
    double *b = bench_alloc(n * n, sizeof *b);
    init(n, a, b);

    bench_start();
    kernel_st_heat_swap(n, steps, a, b);
    bench_stop();

    bench_doubles("a", a, (long)n * n);
    bench_doubles("b", b, (long)n * n);
    free(a);
    free(b);
    return 0;
}
