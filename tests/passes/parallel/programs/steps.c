/* Serial loops whose steps threads take together, and loops that are shared out within serial ones. */
#include <stdio.h>
#define N 90
static double A[N][N], B[N][N], C[N][N], y[N], z[N], v[N], w[N], tau[N], s[N];
static int d[N][N];
void side_by_side(int n, int m) {
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < m; j++) y[j] = 0.5 * y[j] + A[i][j];
    for (int j = 0; j < m; j++) z[j] = 0.25 * z[j] + y[j] * B[i][j];
    for (int j = 2; j < m; j++) B[i][j] = B[i-1][j] * y[j] + z[j]; } }
void triangle_columns(int n, int m) {
  for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) for (int j = i; j < n; j++) {
    y[j] = 0.5 * y[j] + A[i][j]; A[i][j] = y[j] * 0.5; } }
void shrink(int n, int m) {
  for (int k = 0; k < m; k++) {
    double q0 = 0.0;
    for (int i = k; i < n; i++) q0 += A[i][k] * A[i][k];
    tau[k] = q0;
    for (int i = k + 1; i < n; i++) v[i] = A[i][k] / (q0 + 1.0);
    v[k] = 1.0;
    for (int j = k; j < m; j++) { double q = 0.0;
      for (int i = k; i < n; i++) q += v[i] * A[i][j];
      w[j] = q * 0.5; }
    for (int i = k; i < n; i++) for (int j = k; j < m; j++) A[i][j] -= v[i] * w[j]; } }
void floyd(int n) {
  for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
    d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j]; }
void sums_in_order(int n) {
  for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
    C[i][j] += A[k][i] * B[k][j]; }
void jac(int n, int m) {
  for (int k = 0; k < m; k++) {
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
      B[i][j] = 0.25 * (A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1]);
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j];
    s[k] = A[n/2][n/2]; } }
int main(int c, char **x) {
  int n = N - c + 1, m = N / 2;
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) A[i][j] = (i * 7 + j) % 13 / 13.0, B[i][j] = (i + j) % 5, d[i][j] = (i * 31 + j * 17) % 101;
  side_by_side(n, m); triangle_columns(n, 3); shrink(n, m); floyd(n); sums_in_order(n); jac(n, 7);
  double q = 0; for (int i = 0; i < N; i++) q += y[i] + z[i] + A[i][i] + B[i][3] + C[i][5] + d[i][7] + w[i] + s[i];
  printf("%.17g\n", q); }
