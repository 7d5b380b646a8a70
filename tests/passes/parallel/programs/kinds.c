#include <stdio.h>
#define N 150
static double A[N][N], B[N][N], C[N][N], x[N], y[N];
void pipeline(void) {
  for (int t = 0; t < 4; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i + 1][j] + A[i][j + 1]) * 0.25;
}
void in_steps(void) {
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        B[i][j] = 0.25 * (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) A[i][j] = B[i][j];
  }
}
void reduction(void) {
  for (int i = 0; i < N; i++) {
    double t = 0;
    for (int j = 0; j < N; j++) t += A[i][j] * x[j];
    for (int j = 0; j < N; j++) y[j] += A[i][j] * t;
  }
}
void triangle(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) B[i][j] = A[i][j] * 2 + j;
}
void product(void) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++) C[i][j] += A[i][k] * B[k][j];
}
void factors(void) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j];
  }
}
int main(void) {
  for (int i = 0; i < N; i++) {
    x[i] = i % 7;
    for (int j = 0; j < N; j++) A[i][j] = i * j % 11 + (i == j) * 1000, B[i][j] = (i + j) % 5;
  }
  pipeline();
  in_steps();
  reduction();
  triangle();
  product();
  factors();
  double s = 0;
  for (int i = 0; i < N; i++) s += y[i] + A[i][i] + B[i][3] + C[i][5];
  printf("%g\n", s);
}
