/* 3mm: G = (A B) (C D), three matrix products. */

#include "bench.h"

#define NI BY_SIZE(16, 40, 180, 800, 1600)
#define NJ BY_SIZE(18, 50, 190, 900, 1800)
#define NK BY_SIZE(20, 60, 200, 1000, 2000)
#define NL BY_SIZE(22, 70, 210, 1100, 2200)
#define NM BY_SIZE(24, 80, 220, 1200, 2400)

static void init(int ni, int nj, int nk, int nl, int nm,
                 double A[NI][NK], double B[NK][NJ], double C[NJ][NM], double D[NM][NL])
{
    for (int i = 0; i < ni; i++)
        for (int k = 0; k < nk; k++)
            A[i][k] = (double)((i * k + 1) % ni) / (5 * ni);
    for (int k = 0; k < nk; k++)
        for (int j = 0; j < nj; j++)
            B[k][j] = (double)((k * (j + 1) + 2) % nj) / (5 * nj);
    for (int j = 0; j < nj; j++)
        for (int m = 0; m < nm; m++)
            C[j][m] = (double)(j * (m + 3) % nl) / (5 * nl);
    for (int m = 0; m < nm; m++)
        for (int l = 0; l < nl; l++)
            D[m][l] = (double)((m * (l + 2) + 2) % nk) / (5 * nk);
}

void kernel_3mm(int ni, int nj, int nk, int nl, int nm,
                double E[NI][NJ], double A[NI][NK], double B[NK][NJ],
                double F[NJ][NL], double C[NJ][NM], double D[NM][NL], double G[NI][NL])
{
    int i, j, k;

    /* E = A B */
    for (i = 0; i < ni; i++)
        for (j = 0; j < nj; j++) {
            E[i][j] = 0.0;
            for (k = 0; k < nk; k++)
                E[i][j] += A[i][k] * B[k][j];
        }

    /* F = C D */
    for (i = 0; i < nj; i++)
        for (j = 0; j < nl; j++) {
            F[i][j] = 0.0;
            for (k = 0; k < nm; k++)
                F[i][j] += C[i][k] * D[k][j];
        }

    /* G = E F */
    for (i = 0; i < ni; i++)
        for (j = 0; j < nl; j++) {
            G[i][j] = 0.0;
            for (k = 0; k < nj; k++)
                G[i][j] += E[i][k] * F[k][j];
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int ni = bench_size(NI), nj = bench_size(NJ), nk = bench_size(NK);
    int nl = bench_size(NL), nm = bench_size(NM);
    double (*E)[NJ] = bench_alloc(NI, sizeof *E);
    double (*A)[NK] = bench_alloc(NI, sizeof *A);
    double (*B)[NJ] = bench_alloc(NK, sizeof *B);
    double (*F)[NL] = bench_alloc(NJ, sizeof *F);
    double (*C)[NM] = bench_alloc(NJ, sizeof *C);
    double (*D)[NL] = bench_alloc(NM, sizeof *D);
    double (*G)[NL] = bench_alloc(NI, sizeof *G);
    init(ni, nj, nk, nl, nm, A, B, C, D);

    bench_start();
    kernel_3mm(ni, nj, nk, nl, nm, E, A, B, F, C, D, G);
    bench_stop();

    bench_doubles("G", G, (long)ni * nl);
    free(E);
    free(A);
    free(B);
    free(F);
    free(C);
    free(D);
    free(G);
    return 0;
}
