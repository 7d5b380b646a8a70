/* 2mm: D = alpha A B C + beta D, two matrix products through a temporary. */

#include "bench.h"

#define NI BY_SIZE(16, 40, 180, 800, 1600)
#define NJ BY_SIZE(18, 50, 190, 900, 1800)
#define NK BY_SIZE(22, 70, 210, 1100, 2200)
#define NL BY_SIZE(24, 80, 220, 1200, 2400)

static void init(int ni, int nj, int nk, int nl,
                 double A[NI][NK], double B[NK][NJ], double C[NJ][NL], double D[NI][NL])
{
    for (int i = 0; i < ni; i++)
        for (int k = 0; k < nk; k++)
            A[i][k] = (double)((i * k + 1) % ni) / ni;
    for (int k = 0; k < nk; k++)
        for (int j = 0; j < nj; j++)
            B[k][j] = (double)(k * (j + 1) % nj) / nj;
    for (int j = 0; j < nj; j++)
        for (int l = 0; l < nl; l++)
            C[j][l] = (double)((j * (l + 3) + 1) % nl) / nl;
    for (int i = 0; i < ni; i++)
        for (int l = 0; l < nl; l++)
            D[i][l] = (double)(i * (l + 2) % nk) / nk;
}

void kernel_2mm(int ni, int nj, int nk, int nl, double alpha, double beta, double tmp[NI][NJ],
                double A[NI][NK], double B[NK][NJ], double C[NJ][NL], double D[NI][NL])
{
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            tmp[i][j] = 0.0;
            for (int k = 0; k < nk; k++)
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }

    for (int i = 0; i < ni; i++)
        for (int l = 0; l < nl; l++) {
            D[i][l] *= beta;
            for (int j = 0; j < nj; j++)
                D[i][l] += tmp[i][j] * C[j][l];
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int ni = bench_size(NI), nj = bench_size(NJ), nk = bench_size(NK), nl = bench_size(NL);
    double (*tmp)[NJ] = bench_alloc(NI, sizeof *tmp);
    double (*A)[NK] = bench_alloc(NI, sizeof *A);
    double (*B)[NJ] = bench_alloc(NK, sizeof *B);
    double (*C)[NL] = bench_alloc(NJ, sizeof *C);
    double (*D)[NL] = bench_alloc(NI, sizeof *D);
    init(ni, nj, nk, nl, A, B, C, D);

    bench_start();
    kernel_2mm(ni, nj, nk, nl, 1.5, 1.2, tmp, A, B, C, D);
    bench_stop();

    bench_doubles("D", D, (long)ni * nl);
    free(tmp);
    free(A);
    free(B);
    free(C);
    free(D);
    return 0;
}
