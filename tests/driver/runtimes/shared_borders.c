// What processes share lies between pages that nobody may touch: rows of 64 of which the last one
// ends early, rows of a triangle, and arrays of another length each.
#include <stdio.h>
#include <sys/mman.h>

enum { ROW = 64, N = 37, PAGE = 4096 };

static double *room(long count) {
  long bytes = (count * 8 + PAGE - 1) / PAGE * PAGE;
  char *start = mmap(0, bytes + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(start + PAGE, bytes, PROT_READ | PROT_WRITE);
  double *first = (double *)(start + PAGE + bytes) - count;
  for (long i = 0; i < count; i++) first[i] = i % 7;
  return first;
}

__attribute__((noinline)) void part(int n, int m, int steps, double *restrict A, const double *restrict B) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) A[i * ROW + j] += B[i * ROW + j] * t;
}
__attribute__((noinline)) void triangle(int n, int steps, double (*restrict A)[ROW], const double *restrict B) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i && j < 40; j++) A[i][j] += B[j] * t;
}
__attribute__((noinline)) void neighbours(int n, int steps, double *restrict A, double *restrict B) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i + 1];
    for (int i = 1; i < n - 1; i++) A[i] = B[i] * 0.5;
  }
}

static void show(const double *A, long count) {
  double sum = 0;
  for (long i = 0; i < count; i++) sum += A[i] * (i % 5);
  printf("%a\n", sum);
}

int main(void) {
  for (int m = 1; m < ROW; m += 20) {
    long count = (N - 1) * ROW + m;
    double *A = room(count);
    part(N, m, 100, A, room(count));
    show(A, count);
  }
  long count = (N - 1) * ROW + N;
  double *A = room(count);
  triangle(N, 200, (double(*)[ROW])A, room(N));
  show(A, count);
  A = room(1000);
  neighbours(1000, 20, A, room(999));
  show(A, 1000);
}
