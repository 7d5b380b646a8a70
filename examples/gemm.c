/* The matrix product C = alpha A B + beta C as anybody would write it, and a program that runs it
   on matrices for which every element of the result is known.

       polyopt-cc -O3 -ffast-math examples/gemm.c -o gemm && ./gemm
       polyopt-cc -O3 -ffast-math --run examples/gemm.c 1000

   All numbers are integers that a double holds exactly, so the check is for equality, whatever
   the order of the additions. */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void gemm(int n, int m, int k, double alpha, double beta,
          double C[restrict n][m], double A[restrict n][k], double B[restrict k][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            C[i][j] *= beta;
            for (int l = 0; l < k; l++)
                C[i][j] += alpha * A[i][l] * B[l][j];
        }
}

static void fill(int n, int m, int k, double C[n][m], double A[n][k], double B[k][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            C[i][j] = i - j;
    for (int i = 0; i < n; i++)
        for (int l = 0; l < k; l++)
            A[i][l] = i + l;
    for (int l = 0; l < k; l++)
        for (int j = 0; j < m; j++)
            B[l][j] = l - j;
}

/* The sum of (i + l) (l - j) over l < k, by the sums of l and of its square. */
static double product(long k, long i, long j)
{
    long linear = k * (k - 1) / 2;
    long square = k * (k - 1) * (2 * k - 1) / 6;
    return (double)(square + (i - j) * linear - i * j * k);
}

static long count_wrong(int n, int m, int k, double alpha, double beta, double C[n][m])
{
    long wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (C[i][j] != alpha * product(k, i, j) + beta * (i - j))
                wrong++;
    return wrong;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    if (n < 1) {
        fprintf(stderr, "usage: %s [size]\n", argv[0]);
        return 2;
    }
    int m = n + 100, k = n + 200;
    double (*C)[m] = malloc(n * sizeof *C);
    double (*A)[k] = malloc(n * sizeof *A);
    double (*B)[m] = malloc(k * sizeof *B);
    if (C == NULL || A == NULL || B == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    fill(n, m, k, C, A, B);

    double start = now();
    gemm(n, m, k, 2.0, 3.0, C, A, B);
    double seconds = now() - start;

    long wrong = count_wrong(n, m, k, 2.0, 3.0, C);
    printf("gemm %d x %d x %d: %.4f s, %.2f GFLOP/s, %s\n", n, m, k, seconds,
           2e-9 * n * m * k / seconds, wrong == 0 ? "every element right" : "WRONG");
    free(C);
    free(A);
    free(B);
    return wrong == 0 ? 0 : 1;
}
