/* Rows of one array that are columns of another, of type T: prints a hash of all results for
   extents around those of squares. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIDE 72
static unsigned long hash;

static void take(const void *data, unsigned long size) {
  const unsigned char *bytes = data;
  for (unsigned long k = 0; k < size; k++) hash = (hash ^ bytes[k]) * 1099511628211ul;
}

static T a[SIDE][SIDE], b[SIDE][SIDE];
static void fill(void) {
  unsigned state = 12345;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      state = state * 1664525u + 1013904223u;
      a[i][j] = (T)(state >> 9), b[i][j] = (T)(i + j);
    }
}
void transpose(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[j][i] = a[i][j];
}
void rotate(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[j][n - 1 - i] = a[i][j];
}
void rotate_back(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[m - 1 - j][i] = a[i][j];
}
void other_diagonal(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[m - 1 - j][n - 1 - i] = a[i][j];
}
void from_columns(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) b[i][m - j] = a[j][i] - a[i][j] + a[i][0];
}
void in_place(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      T t = a[i][j];
      a[i][j] = a[j][i];
      a[j][i] = t;
    }
}
void symmetric(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) a[j][i] = a[i][j];
}
void turn_in_place(int n, int m) {
  for (int i = 0; i < n / 2; i++)
    for (int j = i; j < n - 1 - i; j++) {
      T t = a[i][j];
      a[i][j] = a[n - 1 - j][i];
      a[n - 1 - j][i] = a[n - 1 - i][n - 1 - j];
      a[n - 1 - i][n - 1 - j] = a[j][n - 1 - i];
      a[j][n - 1 - i] = t;
    }
}
void with_pitch(int n, int m, int p, const T *restrict x, T *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[j * p + i] = x[i * p + j];
}
void planes(int n, const T *restrict x, T *restrict y) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < n; j++) y[i * SIDE + j] = x[j * 8 + 7 - i];
}
static void all(int n, int m) {
  void (*kernels[])(int, int) = {transpose, rotate, rotate_back,
                                 other_diagonal, from_columns, in_place,
                                 symmetric, turn_in_place};
  for (int k = 0; k < 8; k++) {
    fill();
    hash = 0;
    kernels[k](n, m);
    take(a, sizeof a), take(b, sizeof b);
    printf("%d: %d %d %lx\n", k, n, m, hash);
  }
  fill();
  hash = 0;
  with_pitch(n, m, SIDE - 1, a[0], b[0]);
  take(b, sizeof b);
  planes(n, a[0], b[0]);
  take(b, sizeof b);
  printf("with a pitch: %d %d %lx\n", n, m, hash);
}

int main(void) {
  static const int extents[] = {0, 1, 3, 7, 8, 15, 16, 17, 31, 32, 33, 48, 63, 65, 70};
  const int count = sizeof extents / sizeof *extents;
  for (int one = 0; one < count; one++)
    for (int other = 0; other < 3; other++) {
      const int n = extents[one], m = extents[(one * 7 + other * 4 + 1) % count];
      all(n, m);
    }
  return 0;
}
