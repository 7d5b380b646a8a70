/* backsub: solves U X = B for an upper triangle U and many right-hand sides in place, from the
   last row to the first; every loop counts down.
   C99 style: sizes are parameters. */

#include "bench.h"

#define N BY_SIZE(30, 90, 250, 1100, 2200)
#define M BY_SIZE(24, 70, 200, 1000, 2000)

static void init(int n, int m, double U[n][n], double X[n][m])
{
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++)
            U[i][j] = (double)((i * j + 1) % n) / ((double)n * n);
        U[i][i] = 1.0 + (double)i / n;
        for (int r = 0; r < m; r++)
            X[i][r] = (double)((i + 2 * r) % m) / m;
    }
}

void kernel_backsub(int n, int m, double U[n][n], double X[n][m])
{
    for (int i = n - 1; i >= 0; i--) {
        for (int j = n - 1; j > i; --j)
            for (int r = m; r > 0; r--)
                X[i][r - 1] -= U[i][j] * X[j][r - 1];
        for (int r = m; r > 0; r--)
            X[i][r - 1] /= U[i][i];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N), m = bench_size(M);
    double (*U)[n] = bench_alloc(n, sizeof *U);
    double (*X)[m] = bench_alloc(n, sizeof *X);
    init(n, m, U, X);

    bench_start();
    kernel_backsub(n, m, U, X);
    bench_stop();

    bench_doubles("X", X, (long)n * m);
    free(U);
    free(X);
    return 0;
}
