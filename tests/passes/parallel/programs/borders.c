// Arrays that loops add to, between pages that nobody may touch: what is around the elements that
// are updated, in the box of their subscripts, need not be there.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

// Under a condition.
__attribute__((noinline)) void below(int n, const double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i + j < n) y[i + j] += A[i][j];
}
__attribute__((noinline)) void above(int n, const double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i >= j) y[i - j] += A[i][j];
}
// To the least of two bounds.
__attribute__((noinline)) void least(int n, int m, const double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < (n < m - i ? n : m - i); j++) y[i + j] += A[i][j];
}
// By two stores, one of which is not to all that lies between.
__attribute__((noinline)) void two(int n, int m, const double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      y[j] += A[i][j];
      if (j < m) y[j + n] += A[i][j];
    }
}
// In steps.
__attribute__((noinline)) void steps(int n, int m, const double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4 * m - 1; j += 4) {
      y[j] += A[i][j];
      y[j + 1] += A[i][j + 1];
      y[j + 2] += A[i][j + 2];
      y[j + 3] += A[i][j + 3];
    }
}
// Where a loop inside has no iteration, and there is no array.
__attribute__((noinline)) void none(int n, int m, int p, const double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < p; k++)
      for (int j = 0; j < m; j++) y[k] += A[i][j] * k;
}
// In some rows only, of an array of two dimensions.
__attribute__((noinline)) void rows(int n, int m, const double A[n][n], double (*restrict Y)[n]) {
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 8; r++)
      for (int j = 0; j < n; j++)
        if (r < m) Y[r][j] += A[i][j] * (r + 1);
}
// Parts overflow where all of it does not.
__attribute__((noinline)) void whole(int n, const int A[n][n], int *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[j] += A[i][j];
}

static double *room(long count, int at_the_end) {
  long bytes = (count * 8 + PAGE - 1) / PAGE * PAGE;
  char *start = mmap(0, bytes + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes) mprotect(start + PAGE, bytes, PROT_READ | PROT_WRITE);
  return (double *)(start + PAGE + (at_the_end ? bytes - count * 8 : 0));
}

static void show(const char *name, long count, const double *y) {
  double sum = 0;
  for (long i = 0; i < count; i++) sum += y[i] * (i % 7 + 1);
  printf("%s %ld %.17g\n", name, count, sum);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100, q = n / 4;
  double(*A)[n] = calloc((long)n * n + 1, 8);
  int(*B)[n] = calloc((long)n * n + 1, 4), *z = calloc(n + 1, 4);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[i][j] = (i * 3 + j * 5) % 11;
  for (int end = 0; end < 2; end++) {
    double *y;
    y = room(n, end), below(n, A, y), show("below", n, y);
    y = room(n, end), above(n, A, y), show("above", n, y);
    y = room(n - q, end), least(n, n - q, A, y), show("least", n - q, y);
    y = room(n + q, end), two(n, q, A, y), show("two", n + q, y);
    y = room(4 * q, end), steps(n, q, A, y), show("steps", 4 * q, y);
    none(n, 0, n, A, 0);
    y = room(3 * n, end), rows(n, 3, A, (double(*)[n])y), show("rows", 3 * n, y);
  }
  for (int j = 0; j < n; j++) z[j] = -2000000000;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) B[i][j] = 3000000000u / n;
  whole(n, B, z);
  for (int j = 0; j < n; j++) printf(" %d", z[j]);
  printf("\n");
}
