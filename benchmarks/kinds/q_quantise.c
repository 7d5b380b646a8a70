/* q_quantise: floats as bytes, scaled and moved, rounded to the nearest, and cut. */

#include "../kernels/bench.h"

#include <math.h>

#define N BY_SIZE(100, 4001, 400001, 4000001, 40000001)

static void init(int n, float *x)
{
    unsigned seed = 7;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (float)(seed >> 8) / 16777216.0f - 0.5f;
    }
}

void kernel_q_quantise(int n, const float *x, unsigned char *q, float scale, int zero)
{
    for (int i = 0; i < n; i++) {
        int v = (int)lrintf(x[i] * scale) + zero;
        if (v < 0)
            v = 0;
        if (v > 255)
            v = 255;
        q[i] = (unsigned char)v;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    float *x = bench_alloc(n, sizeof(float));
    unsigned char *q = bench_alloc(n, 1);
    init(n, x);

    bench_start();
    kernel_q_quantise(n, x, q, 300.0f, 128);
    bench_stop();

    bench_bytes("q", q, n);
    free(x);
    free(q);
    return 0;
}
