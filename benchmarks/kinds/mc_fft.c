/* mc_fft: a fast Fourier transform by butterflies in place, radix 2, with a table of its roots. */

#include "../kernels/bench.h"

#include <math.h>

#define LOG BY_SIZE(4, 8, 16, 18, 20)

static void init(int n, double *re, double *im, double *wr, double *wi)
{
    for (int i = 0; i < n; i++) {
        re[i] = (double)(i * 37 % 101) / 101;
        im[i] = (double)(i * 53 % 103) / 103;
    }
    for (int i = 0; i < n / 2; i++) {
        wr[i] = (double)((n - 4 * i) % 1009) / n;
        wi[i] = (double)(-3 * i % 997) / n;
    }
}

void kernel_mc_fft(int n, double *re, double *im, const double *wr, const double *wi)
{
    for (int length = 2; length <= n; length *= 2) {
        int half = length / 2, step = n / length;
        for (int i = 0; i < n; i += length)
            for (int k = 0; k < half; k++) {
                double c = wr[k * step], s = wi[k * step];
                double xr = re[i + k + half], xi = im[i + k + half];
                double vr = xr * c - xi * s, vi = xr * s + xi * c;
                double ur = re[i + k], ui = im[i + k];
                re[i + k] = ur + vr;
                im[i + k] = ui + vi;
                re[i + k + half] = ur - vr;
                im[i + k + half] = ui - vi;
            }
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(1 << LOG);
    double *re = bench_alloc(n, sizeof *re), *im = bench_alloc(n, sizeof *im);
    double *wr = bench_alloc(n / 2, sizeof *wr), *wi = bench_alloc(n / 2, sizeof *wi);
    init(n, re, im, wr, wi);

    bench_start();
    kernel_mc_fft(n, re, im, wr, wi);
    bench_stop();

    bench_doubles("re", re, n);
    bench_doubles("im", im, n);
    free(re);
    free(im);
    free(wr);
    free(wi);
    return 0;
}
