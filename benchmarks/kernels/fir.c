/* fir: a finite impulse response filter, written as three pointers that walk. */

#include "bench.h"

#define TAPS BY_SIZE(9, 17, 65, 257, 513)
#define N BY_SIZE(100, 1000, 10000, 400000, 800000)

static void init(int taps, int n, double *coefficients, double *input)
{
    for (int k = 0; k < taps; k++)
        coefficients[k] = 1.0 / (k + 2);
    for (int i = 0; i < n + taps - 1; i++)
        input[i] = (double)(i * 3 % 101) / 101;
}

void kernel_fir(int taps, int n, const double *coefficients, const double *input, double *output)
{
    double *end = output + n;
    for (double *out = output; out != end; out++) {
        const double *in = input++;
        const double *last = coefficients + taps;
        double sum = 0.0;
        for (const double *tap = coefficients; tap < last; tap++)
            sum += *tap * *in++;
        *out = sum;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int taps = bench_size(TAPS), n = bench_size(N);
    double *coefficients = bench_alloc(taps, sizeof *coefficients);
    double *input = bench_alloc(n + taps - 1, sizeof *input);
    double *output = bench_alloc(n, sizeof *output);
    init(taps, n, coefficients, input);

    bench_start();
    kernel_fir(taps, n, coefficients, input, output);
    bench_stop();

    bench_doubles("output", output, n);
    free(coefficients);
    free(input);
    free(output);
    return 0;
}
