/* jacobi-1d: three-point smoothing of a line, there and back.
   Plain pointers, promised not to overlap. */

#include "bench.h"

#define TSTEPS BY_SIZE(20, 40, 100, 500, 1000)
#define N BY_SIZE(30, 120, 400, 2000, 4000)

static void init(int n, double *A, double *B)
{
    for (int i = 0; i < n; i++) {
        A[i] = ((double)i + 2) / n;
        B[i] = ((double)i + 3) / n;
    }
}

void kernel_jacobi_1d(int tsteps, int n, double *restrict A, double *restrict B)
{
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < n - 1; i++)
            A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int tsteps = bench_size(TSTEPS), n = bench_size(N);
    double *A = bench_alloc(n, sizeof *A);
    double *B = bench_alloc(n, sizeof *B);
    init(n, A, B);

    bench_start();
    kernel_jacobi_1d(tsteps, n, A, B);
    bench_stop();

    bench_doubles("A", A, n);
    free(A);
    free(B);
    return 0;
}
