/* la_banded_mv: a banded matrix, stored by its diagonals row by row, times a vector. */

#include "../kernels/bench.h"

#define N BY_SIZE(12, 150, 100000, 500000, 2000000)
#define BELOW 4
#define ABOVE 3

static void init(int n, double a[N][BELOW + ABOVE + 1], double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < BELOW + ABOVE + 1; k++)
            a[i][k] = 0.125 * ((i + 5 * k) % 17);
        x[i] = 0.01 * (i % 101);
    }
}

void kernel_la_banded_mv(int n, double a[N][BELOW + ABOVE + 1], const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        int first = i < BELOW ? 0 : i - BELOW;
        int last = i + ABOVE < n ? i + ABOVE : n - 1;
        double sum = 0.0;
        for (int j = first; j <= last; j++)
            sum += a[i][j - i + BELOW] * x[j];
        y[i] = sum;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*a)[BELOW + ABOVE + 1] = bench_alloc(n, sizeof *a);
    double *x = bench_alloc(n, sizeof *x);
    double *y = bench_alloc(n, sizeof *y);
    init(n, a, x);

    bench_start();
    kernel_la_banded_mv(n, a, x, y);
    bench_stop();

    bench_doubles("y", y, n);
    free(a);
    free(x);
    free(y);
    return 0;
}
