/* triprod: C = A B for lower triangles A and B; the domain is a tetrahedron. */

#include "bench.h"

#define N BY_SIZE(36, 110, 320, 1500, 3000)

static void init(int n, double A[N][N], double B[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            A[i][j] = (double)((i * j + 1) % n) / n;
            B[i][j] = (double)((i + 3 * j) % n) / n;
        }
}

void kernel_triprod(int n, double A[N][N], double B[N][N], double C[N][N])
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
    double (*A)[N] = bench_alloc(N, sizeof *A);
    double (*B)[N] = bench_alloc(N, sizeof *B);
    double (*C)[N] = bench_alloc(N, sizeof *C);
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
