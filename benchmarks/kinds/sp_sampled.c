/* sp_sampled: products of rows of two dense matrices, where a sparse one has a place. */

#include "../kernels/bench.h"

#define N BY_SIZE(10, 100, 4000, 20000, 80000)
#define EACH 8
#define WIDTH 32

static void init(int n, int *start, int *column, float (*u)[WIDTH], float (*v)[WIDTH])
{
    for (int i = 0; i <= n; i++)
        start[i] = i * EACH;
    for (int k = 0; k < n * EACH; k++)
        column[k] = (k * 5L + k / EACH * 11) % n;
    for (int i = 0; i < n; i++)
        for (int d = 0; d < WIDTH; d++) {
            u[i][d] = 0.0625f * ((i + d) % 15);
            v[i][d] = 0.125f * ((i * 3 + d) % 7);
        }
}

void kernel_sp_sampled(int n, const int *start, const int *column, float (*u)[WIDTH],
                       float (*v)[WIDTH], float *out)
{
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            float sum = 0.0f;
            for (int d = 0; d < WIDTH; d++)
                sum += u[i][d] * v[column[k]][d];
            out[k] = sum;
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    int *start = bench_alloc(n + 1, sizeof *start);
    int *column = bench_alloc(n * EACH, sizeof *column);
    float (*u)[WIDTH] = bench_alloc(n, sizeof *u);
    float (*v)[WIDTH] = bench_alloc(n, sizeof *v);
    float *out = bench_alloc(n * EACH, sizeof *out);
    init(n, start, column, u, v);

    bench_start();
    kernel_sp_sampled(n, start, column, u, v, out);
    bench_stop();

    bench_floats("out", out, (long)n * EACH);
    free(start);
    free(column);
    free(u);
    free(v);
    free(out);
    return 0;
}
