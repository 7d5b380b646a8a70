/* Loops of three kinds that run in threads, on numbers for which every result is known.

       polyopt-cc -O3 -ffast-math -fparallel --remarks --run examples/threads.c

   All numbers are integers that a double holds exactly, so that the order of additions does not
   matter and the check is for equality. */

#include <stdio.h>
#include <stdlib.h>

/* Nothing depends on another row; a row is as long as its number says. */
void lower(int n, double L[restrict n][n], double A[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            L[i][j] = 2 * A[j][i];
}

/* All rows are added to the same elements. */
void columns(int n, int m, double y[restrict m], double A[restrict n][m], double x[restrict n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[j] += A[i][j] * x[i];
}

/* Each element after its neighbours above and to the left, sweep by sweep. */
void relax(int sweeps, int n, double A[n][n])
{
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                A[i][j] = A[i - 1][j] + A[i][j - 1] - A[i][j];
}

int main(void)
{
    enum { N = 1200, SWEEPS = 20 };
    double (*A)[N] = malloc(sizeof(double[N][N])), (*L)[N] = calloc(N, sizeof(double[N]));
    double *x = malloc(N * sizeof *x), *y = calloc(N, sizeof *y);
    for (int i = 0; i < N; i++) {
        x[i] = i % 3;
        for (int j = 0; j < N; j++)
            A[i][j] = i - j;
    }
    lower(N, L, A);
    columns(N, N, y, A, x);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += L[i][j] != (j <= i ? 2 * (j - i) : 0);
    double rows = 0, weights = 0;
    for (int i = 0; i < N; i++) {
        rows += i * (i % 3);
        weights += i % 3;
    }
    for (int j = 0; j < N; j++)
        wrong += y[j] != rows - j * weights;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = 1;
    relax(SWEEPS, N, A);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wrong += A[i][j] != 1;
    printf("%d elements are wrong\n", wrong);
    return wrong != 0;
}
