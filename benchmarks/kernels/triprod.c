/* triprod: C = A B for lower triangles A and B; the domain is a tetrahedron.
   C99 style: the size is a parameter, the matrices do not overlap. */

#include "bench.h"

#define N BY_SIZE(36, 110, 320, 1500, 3000)

static void init(int n, double A[n][n], double B[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            A[i][j] = (double)((i * j + 1) % n) / n;
            B[i][j] = (double)((i + 3 * j) % n) / n;
        }
}

void kernel_triprod(int n, double A[restrict n][n], double B[restrict n][n],
                    double C[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            C[i][j] = 0.0;
            for (int k = j; k <= i; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int n = bench_size(N);
    double (*A)[n] = bench_alloc(n, sizeof *A);
    double (*B)[n] = bench_alloc(n, sizeof *B);
    double (*C)[n] = bench_alloc(n, sizeof *C);
    init(n, A, B);

    bench_start();
    kernel_triprod(n, A, B, C);
    bench_stop();

    bench_doubles("C", C, (long)n * n);
    free(A);
    free(B);
    free(C);
    return 0;
}
