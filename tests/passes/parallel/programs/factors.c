#include <math.h>
#include <stdio.h>
#define M 277
static double A[M][M], B[M][M], C[M][M];
void lu(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j];
  }
}
void cholesky(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) B[i][j] -= B[i][k] * B[j][k];
      B[i][j] /= B[j][j];
    }
    for (int k = 0; k < i; k++) B[i][i] -= B[i][k] * B[i][k];
    B[i][i] = sqrt(B[i][i]);
  }
}
void wide(int n, int m) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      C[i][k] /= C[k][k];
      for (int j = k + 1; j < m; j++) C[i][j] -= C[i][k] * C[k][j];
    }
}
int main(void) {
  int sizes[] = {1, 2, 63, 64, 65, 66, 128, 130, 200, 277};
  for (int s = 0; s < 10; s++) {
    unsigned x = 1;
    for (int i = 0; i < M; i++)
      for (int j = 0; j < M; j++) {
        x = x * 1664525u + 1013904223u;
        A[i][j] = C[i][j] = (double)(x >> 8) / (1 << 24) - .5 + (i == j) * 2 * M;
        B[i][j] = 1. / (i + j + 1) + (i == j) * M;
      }
    lu(sizes[s]);
    cholesky(sizes[s]);
    wide(sizes[s], s % 2 ? M : sizes[s]);
    const double *all[] = {&A[0][0], &B[0][0], &C[0][0]};
    for (int a = 0; a < 3; a++) {
      unsigned long hash = 1;
      for (long i = 0; i < (long)M * M; i++) {
        union { double d; unsigned long u; } bits = {all[a][i]};
        hash = hash * 1099511628211ul + bits.u;
      }
      printf("%lx\n", hash);
    }
  }
}
