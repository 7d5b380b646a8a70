/* lv13_pic2d: Livermore loop 13, particles in a cell in two dimensions. */

#include "../kernels/bench.h"

#define N BY_SIZE(50, 500, 100000, 1000000, 4000000)

static void init(int n, double p[][4], double b[64][64], double c[64][64])
{
    for (int i = 0; i < n; i++) {
        p[i][0] = i * 7 % 64;
        p[i][1] = i * 11 % 64;
        p[i][2] = 0.25 * (i % 9);
        p[i][3] = 0.5 * (i % 5);
    }
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++) {
            b[j][i] = 0.125 * ((i + j) % 8);
            c[j][i] = 0.25 * ((i + 3 * j) % 4);
        }
}

void kernel_lv13_pic2d(int n, double p[][4], double b[64][64], double c[64][64], const double *y,
                       const double *z, const int *e, const int *f, double h[64][64])
{
    for (int ip = 0; ip < n; ip++) {
        int i1 = (int)p[ip][0] & 63;
        int j1 = (int)p[ip][1] & 63;
        p[ip][2] += b[j1][i1];
        p[ip][3] += c[j1][i1];
        p[ip][0] += p[ip][2];
        p[ip][1] += p[ip][3];
        int i2 = (int)p[ip][0] & 31;
        int j2 = (int)p[ip][1] & 31;
        p[ip][0] += y[i2 + 16];
        p[ip][1] += z[j2 + 16];
        i2 += e[i2 + 16];
        j2 += f[j2 + 16];
        h[j2][i2] += 1.0;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*p)[4] = bench_alloc(n, sizeof *p);
    double (*b)[64] = bench_alloc(64, sizeof *b);
    double (*c)[64] = bench_alloc(64, sizeof *c);
    double (*h)[64] = bench_alloc(64, sizeof *h);
    double *y = bench_alloc(64, sizeof *y);
    double *z = bench_alloc(64, sizeof *z);
    int *e = bench_alloc(64, sizeof *e);
    int *f = bench_alloc(64, sizeof *f);
    init(n, p, b, c);
    for (int i = 0; i < 64; i++) {
        y[i] = 0.5 * (i % 3);
        z[i] = 0.25 * (i % 5);
        e[i] = i % 4;
        f[i] = i % 3;
    }

    bench_start();
    kernel_lv13_pic2d(n, p, b, c, y, z, e, f, h);
    bench_stop();

    bench_doubles("p", p, 4L * n);
    bench_doubles("h", h, 64 * 64);
    free(p);
    free(b);
    free(c);
    free(h);
    free(y);
    free(z);
    free(e);
    free(f);
    return 0;
}
