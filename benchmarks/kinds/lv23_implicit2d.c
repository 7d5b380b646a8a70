/* lv23_implicit2d: Livermore loop 23, implicit hydrodynamics in two dimensions. */

#include "../kernels/bench.h"

#define N BY_SIZE(20, 60, 300, 800, 2000)

typedef double plane[N + 1][N + 1];

static void init(int n, plane *a)
{
    for (int p = 0; p < 6; p++)
        for (int k = 0; k <= n; k++)
            for (int j = 0; j <= n; j++)
                a[p][k][j] = 0.05 + 0.01 * ((k * 5 + j * 3 + p) % 17);
}

void kernel_lv23_implicit2d(int n, plane za, plane zb, plane zr, plane zu, plane zv, plane zz)
{
    for (int j = 1; j < n; j++)
        for (int k = 1; k < n; k++) {
            double qa = za[k + 1][j] * zr[k][j] + za[k - 1][j] * zb[k][j] + za[k][j + 1] * zu[k][j]
                        + za[k][j - 1] * zv[k][j] + zz[k][j];
            za[k][j] += 0.175 * (qa - za[k][j]);
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    plane *a = bench_alloc(6, sizeof *a);
    init(n, a);

    bench_start();
    kernel_lv23_implicit2d(n, a[0], a[1], a[2], a[3], a[4], a[5]);
    bench_stop();

    bench_doubles("za", a[0], (long)(N + 1) * (N + 1));
    free(a);
    return 0;
}
