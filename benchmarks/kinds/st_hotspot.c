/* st_hotspot: a step of heat in a chip, whose borders are conditions. */

#include "../kernels/bench.h"

#define N BY_SIZE(8, 40, 1000, 2500, 6000)

static void init(int n, float *heat, float *power, float *next)
{
    for (int i = 0; i < n * n; i++) {
        heat[i] = (float)(i * 37 % 101) / 101 + (float)0.25;
        power[i] = (float)(i * 45 % 103) / 103 + (float)0.25;
        next[i] = (float)(i * 53 % 105) / 105 + (float)0.25;
    }
}

void kernel_st_hotspot(int n, const float *heat, const float *power, float *next)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float here = heat[i * n + j];
            float up = i > 0 ? heat[(i - 1) * n + j] : here;
            float down = i < n - 1 ? heat[(i + 1) * n + j] : here;
            float left = j > 0 ? heat[i * n + j - 1] : here;
            float right = j < n - 1 ? heat[i * n + j + 1] : here;
            next[i * n + j] = here + 0.1f * (power[i * n + j] + (up + down - 2 * here) * 0.3f +
                                             (left + right - 2 * here) * 0.2f + (80 - here) * 0.01f);
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    float *heat = bench_alloc(n * n, sizeof *heat);
    float *power = bench_alloc(n * n, sizeof *power);
    float *next = bench_alloc(n * n, sizeof *next);
    init(n, heat, power, next);

    bench_start();
    kernel_st_hotspot(n, heat, power, next);
    bench_stop();

    bench_floats("next", next, n * n);
    free(heat);
    free(power);
    free(next);
    return 0;
}
