/* durbin: Levinson-Durbin recursion, solves a symmetric Toeplitz system T y = -r.
   C99 style: the size is a parameter, also that of the local array. */

#include "bench.h"

#define N BY_SIZE(40, 120, 400, 2000, 4000)

static void init(int n, double r[n])
{
    for (int i = 0; i < n; i++)
        r[i] = n + 1 - i;
}

void kernel_durbin(int n, double r[n], double y[n])
{
    double z[n];
    double alpha = -r[0];
    double beta = 1.0;

    y[0] = -r[0];
    for (int k = 1; k < n; k++) {
        beta = (1 - alpha * alpha) * beta;

        double sum = 0.0;
        for (int i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;

        for (int i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double *r = bench_alloc(n, sizeof *r);
    double *y = bench_alloc(n, sizeof *y);
    init(n, r);

    bench_start();
    kernel_durbin(n, r, y);
    bench_stop();

    bench_doubles("y", y, n);
    free(r);
    free(y);
    return 0;
}
