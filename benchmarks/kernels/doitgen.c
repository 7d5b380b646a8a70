/* doitgen: A[r][q][*] = A[r][q][*] C4, a tensor contraction in place, row by row. */

#include "bench.h"

#define NQ BY_SIZE(8, 20, 40, 140, 220)
#define NR BY_SIZE(10, 25, 50, 150, 250)
#define NP BY_SIZE(12, 30, 60, 160, 270)

static void init(int nr, int nq, int np, double A[NR][NQ][NP], double C4[NP][NP])
{
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++)
            for (int p = 0; p < np; p++)
                A[r][q][p] = (double)((r * q + p) % np) / np;
    for (int s = 0; s < np; s++)
        for (int p = 0; p < np; p++)
            C4[s][p] = (double)(s * p % np) / np;
}

void kernel_doitgen(int nr, int nq, int np, double A[NR][NQ][NP], double C4[NP][NP],
                    double sum[NP])
{
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < np; s++)
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < np; p++)
                A[r][q][p] = sum[p];
        }
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    int nr = bench_size(NR), nq = bench_size(NQ), np = bench_size(NP);
    double (*A)[NQ][NP] = bench_alloc(NR, sizeof *A);
    double (*C4)[NP] = bench_alloc(NP, sizeof *C4);
    double *sum = bench_alloc(NP, sizeof *sum);
    init(nr, nq, np, A, C4);

    bench_start();
    kernel_doitgen(nr, nq, np, A, C4, sum);
    bench_stop();

    bench_doubles("A", A, (long)nr * nq * np);
    free(A);
    free(C4);
    free(sum);
    return 0;
}
