/* gemm: C = alpha A B + beta C, the general matrix product. */

#include "bench.h"

#define NI BY_SIZE(20, 60, 200, 1000, 2000)
#define NJ BY_SIZE(25, 70, 220, 1100, 2300)
#define NK BY_SIZE(30, 80, 240, 1200, 2600)

static void init(int ni, int nj, int nk, double C[NI][NJ], double A[NI][NK], double B[NK][NJ])
{
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] = (double)((i * j + 1) % ni) / ni;
        for (int k = 0; k < nk; k++)
            A[i][k] = (double)(i * (k + 1) % nk) / nk;
    }
    for (int k = 0; k < nk; k++)
        for (int j = 0; j < nj; j++)
            B[k][j] = (double)(k * (j + 2) % nj) / nj;
}

void kernel_gemm(int ni, int nj, int nk, double alpha, double beta,
                 double C[NI][NJ], double A[NI][NK], double B[NK][NJ])
{
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] *= beta;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int ni = bench_size(NI), nj = bench_size(NJ), nk = bench_size(NK);
    double (*C)[NJ] = bench_alloc(NI, sizeof *C);
    double (*A)[NK] = bench_alloc(NI, sizeof *A);
    double (*B)[NJ] = bench_alloc(NK, sizeof *B);
    init(ni, nj, nk, C, A, B);

    bench_start();
    kernel_gemm(ni, nj, nk, 1.5, 1.2, C, A, B);
    bench_stop();

    bench_doubles("C", C, (long)ni * nj);
    free(C);
    free(A);
    free(B);
    return 0;
}
