/* x = transpose(A) y, down the columns of A: the kernel of docs/walk.md. */

#include <stdio.h>

#define N 100

void transposed(int n, double x[restrict n], double A[restrict n][n], double y[restrict n])
{
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        for (int j = 0; j < n; j++)
            x[i] += A[j][i] * y[j];
    }
}

static double A[N][N], x[N], y[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        y[i] = i + 1;
        for (int j = 0; j < N; j++)
            A[i][j] = i == j ? 2 : 1;
    }
    transposed(N, x, A, y);
    printf("x[0] = %g, x[%d] = %g\n", x[0], N - 1, x[N - 1]);
    return 0;
}
