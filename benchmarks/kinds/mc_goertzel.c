/* mc_goertzel: the power of a signal at some frequencies, by one recurrence for each. */

#include "../kernels/bench.h"

#include <math.h>

#define TONES BY_SIZE(3, 8, 50, 100, 200)
#define N BY_SIZE(50, 500, 20000, 100000, 400000)

static void init(int tones, int n, double *coefficient, double *signal)
{
    for (int f = 0; f < tones; f++)
        coefficient[f] = 2.0 * cos(0.01 + 3.0 * f / tones);
    for (int i = 0; i < n; i++)
        signal[i] = 0.01 * (i * 31 % 199) - 1.0;
}

void kernel_mc_goertzel(int tones, int n, const double *coefficient, const double *signal,
                        double *power)
{
    for (int f = 0; f < tones; f++) {
        double s1 = 0.0, s2 = 0.0;
        for (int i = 0; i < n; i++) {
            double s0 = signal[i] + coefficient[f] * s1 - s2;
            s2 = s1;
            s1 = s0;
        }
        power[f] = s1 * s1 + s2 * s2 - coefficient[f] * s1 * s2;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int tones = bench_size(TONES), n = bench_size(N);
    double *coefficient = bench_alloc(tones, sizeof *coefficient);
    double *signal = bench_alloc(n, sizeof *signal);
    double *power = bench_alloc(tones, sizeof *power);
    init(tones, n, coefficient, signal);

    bench_start();
    kernel_mc_goertzel(tones, n, coefficient, signal, power);
    bench_stop();

    bench_doubles("power", power, tones);
    free(coefficient);
    free(signal);
    free(power);
    return 0;
}
