/* rd_norms: of the difference of two vectors the sum of sizes, the root of squares, the largest. */

#include "../kernels/bench.h"

#include <math.h>

#define N BY_SIZE(100, 3000, 100000, 3000000, 30000000)

static void init(int n, double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        a[i] = 0.001 * (i * 37L % 1009);
        b[i] = 0.001 * (i * 53L % 997);
    }
}

void kernel_rd_norms(int n, const double *a, const double *b, double norms[3])
{
    double one = 0.0, two = 0.0, top = 0.0;
    for (int i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        one += d;
        two += d * d;
        if (d > top)
            top = d;
    }
    norms[0] = one;
    norms[1] = sqrt(two);
    norms[2] = top;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double *a = bench_alloc(n, sizeof *a);
    double *b = bench_alloc(n, sizeof *b);
    double *norms = bench_alloc(3, sizeof *norms);
    init(n, a, b);

    bench_start();
    kernel_rd_norms(n, a, b, norms);
    bench_stop();

    bench_doubles("norms", norms, 3);
    free(a);
    free(b);
    free(norms);
    return 0;
}
