/* fdtd-2d: Maxwell's equations in two dimensions by finite differences in the time domain. */

#include "bench.h"

#define TMAX BY_SIZE(20, 40, 100, 500, 1000)
#define NX BY_SIZE(20, 60, 200, 1000, 2000)
#define NY BY_SIZE(30, 80, 240, 1200, 2600)

static void init(int tmax, int nx, int ny, double ex[NX][NY], double ey[NX][NY], double hz[NX][NY],
                 double pulse[TMAX])
{
    for (int t = 0; t < tmax; t++)
        pulse[t] = t;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++) {
            ex[i][j] = (double)i * (j + 1) / nx;
            ey[i][j] = (double)i * (j + 2) / ny;
            hz[i][j] = (double)i * (j + 3) / nx;
        }
}

void kernel_fdtd_2d(int tmax, int nx, int ny, double ex[NX][NY], double ey[NX][NY],
                    double hz[NX][NY], double pulse[TMAX])
{
    for (int t = 0; t < tmax; t++) {
        for (int j = 0; j < ny; j++)
            ey[0][j] = pulse[t];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++)
                hz[i][j] = hz[i][j]
                           - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int tmax = bench_size(TMAX), nx = bench_size(NX), ny = bench_size(NY);
    double (*ex)[NY] = bench_alloc(NX, sizeof *ex);
    double (*ey)[NY] = bench_alloc(NX, sizeof *ey);
    double (*hz)[NY] = bench_alloc(NX, sizeof *hz);
    double *pulse = bench_alloc(TMAX, sizeof *pulse);
    init(tmax, nx, ny, ex, ey, hz, pulse);

    bench_start();
    kernel_fdtd_2d(tmax, nx, ny, ex, ey, hz, pulse);
    bench_stop();

    bench_doubles("ex", ex, (long)nx * ny);
    bench_doubles("ey", ey, (long)nx * ny);
    bench_doubles("hz", hz, (long)nx * ny);
    free(ex);
    free(ey);
    free(hz);
    free(pulse);
    return 0;
}
