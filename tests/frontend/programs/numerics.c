/* Loops over arrays as numerical programs have them: matrices, stencils, triangular bounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define N 24

static double A[N][N], B[N][N], C[N][N];
static float image[N][N];
static int path[N][N];

static void init(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (double)(i * j % 7) / 7 + (i == j ? N : 0);
            B[i][j] = (double)((i + j) % 5) / 5;
            image[i][j] = (float)(i * N + j) / (N * N);
            path[i][j] = i * j % 13 + 1;
        }
}
static void gemm(int n, double alpha, double C[n][n], double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) C[i][j] += alpha * A[i][k] * B[k][j];
}
static void lu(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < N; j++)
            for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j];
    }
}
static void blur(int steps) {
    static float next[N][N];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                next[i][j] = 0.2f * (image[i][j] + image[i - 1][j] + image[i + 1][j] +
                                     image[i][j - 1] + image[i][j + 1]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) image[i][j] = next[i][j];
    }
}
static void floyd(int n, int *p) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p[i * n + j] = p[i * n + j] < p[i * n + k] + p[k * n + j]
                                   ? p[i * n + j]
                                   : p[i * n + k] + p[k * n + j];
}
static double walk(const double *p, int count) {
    double best = *p;
    while (--count) {
        ++p;
        if (*p > best) best = *p;
    }
    return best;
}

int main(void) {
    init();
    gemm(N, 1.5, C, A, B);
    lu();
    blur(5);
    floyd(N, &path[0][0]);
    double sum = 0;
    int total = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            sum += C[i][j] * 0.5 + A[j][i] + image[i][j];
            total += path[i][j];
        }
    printf("%.17g %d %.17g\n", sum, total, walk(&C[0][0], N * N));
    double *x = malloc(N * sizeof *x), norm = 0;
    for (int i = N - 1; i >= 0; i--) {
        x[i] = 1;
        for (int j = i + 1; j < N; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
        norm += x[i] * x[i];
    }
    printf("%.17g\n", sqrt(norm));
    free(x);
    return 0;
}
