/* lv18_hydro2d: Livermore loop 18, explicit hydrodynamics in two dimensions, in three passes. */

#include "../kernels/bench.h"

#define N BY_SIZE(20, 60, 300, 800, 2000)

typedef double plane[N + 1][N + 1];

static void init(int n, plane *a)
{
    for (int p = 0; p < 9; p++)
        for (int k = 0; k <= n; k++)
            for (int j = 0; j <= n; j++)
                a[p][k][j] = 1.0 + 0.01 * ((k * 3 + j * 7 + p) % 19);
}

void kernel_lv18_hydro2d(int n, double t, double s, plane za, plane zb, plane zm, plane zp,
                         plane zq, plane zr, plane zu, plane zv, plane zz)
{
    for (int k = 1; k < n; k++)
        for (int j = 1; j < n; j++) {
            za[k][j] = (zp[k + 1][j - 1] + zq[k + 1][j - 1] - zp[k][j - 1] - zq[k][j - 1])
                       * (zr[k][j] + zr[k][j - 1]) / (zm[k][j - 1] + zm[k + 1][j - 1]);
            zb[k][j] = (zp[k][j - 1] + zq[k][j - 1] - zp[k][j] - zq[k][j])
                       * (zr[k][j] + zr[k - 1][j]) / (zm[k][j] + zm[k][j - 1]);
        }
    for (int k = 1; k < n; k++)
        for (int j = 1; j < n; j++) {
            zu[k][j] += s
                        * (za[k][j] * (zz[k][j] - zz[k][j + 1])
                           - za[k][j - 1] * (zz[k][j] - zz[k][j - 1])
                           - zb[k][j] * (zz[k][j] - zz[k - 1][j])
                           + zb[k + 1][j] * (zz[k][j] - zz[k + 1][j]));
            zv[k][j] += s
                        * (za[k][j] * (zr[k][j] - zr[k][j + 1])
                           - za[k][j - 1] * (zr[k][j] - zr[k][j - 1])
                           - zb[k][j] * (zr[k][j] - zr[k - 1][j])
                           + zb[k + 1][j] * (zr[k][j] - zr[k + 1][j]));
        }
    for (int k = 1; k < n; k++)
        for (int j = 1; j < n; j++) {
            zr[k][j] += t * zu[k][j];
            zz[k][j] += t * zv[k][j];
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    plane *a = bench_alloc(9, sizeof *a);
    init(n, a);

    bench_start();
    kernel_lv18_hydro2d(n, 0.0037, 0.0041, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    bench_stop();

    bench_doubles("planes", a, 9L * (N + 1) * (N + 1));
    free(a);
    return 0;
}
