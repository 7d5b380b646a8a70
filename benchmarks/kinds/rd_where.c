/* rd_where: count, sum and sum of squares of the values within bounds, and the count above. */

#include "../kernels/bench.h"

#define N BY_SIZE(100, 3000, 300000, 3000000, 30000000)

static void init(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 0.01 * (i * 37L % 1009) - 5.0;
}

void kernel_rd_where(int n, const double *x, double low, double high, double sums[2],
                     int counts[2])
{
    double sum = 0.0, squares = 0.0;
    int inside = 0, above = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > low && x[i] < high) {
            inside++;
            sum += x[i];
            squares += x[i] * x[i];
        }
        if (x[i] >= high)
            above++;
    }
    sums[0] = sum;
    sums[1] = squares;
    counts[0] = inside;
    counts[1] = above;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double *x = bench_alloc(n, sizeof *x);
    double *sums = bench_alloc(2, sizeof *sums);
    int *counts = bench_alloc(2, sizeof *counts);
    init(n, x);

    bench_start();
    kernel_rd_where(n, x, -2.5, 3.0, sums, counts);
    bench_stop();

    bench_doubles("sums", sums, 2);
    bench_ints("counts", counts, 2);
    free(x);
    free(sums);
    free(counts);
    return 0;
}
