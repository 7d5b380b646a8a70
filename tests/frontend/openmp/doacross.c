// Iterations that wait for one another.
#include <stdio.h>
#define N 40

static int a[N][N], b[N + 1];

static void one(int start, int end) {
  for (int i = 0; i <= N; i++) b[i] = i;
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = start; i < end; i += 3) {
    int own = i * i;
#pragma omp ordered depend(sink : i - 3)
    b[i] = (i >= 3 ? b[i - 3] : 7) + own;
#pragma omp ordered depend(source)
  }
}

static void two(int n, int m, int schedule) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i == 0 || j == 0;
#pragma omp parallel
  if (schedule == 0) {
#pragma omp for ordered(2)
    for (int i = 1; i < n; i++)
      for (int j = 1; j < m; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        a[i][j] = (a[i - 1][j] + a[i][j - 1]) % 10007;
#pragma omp ordered depend(source)
      }
  } else {
#pragma omp for ordered(2) schedule(dynamic, 2)
    for (int i = 1; i < n; i++)
      for (int j = 1; j < m; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        a[i][j] = (a[i - 1][j] + a[i][j - 1]) % 10007;
#pragma omp ordered depend(source)
      }
  }
}

static void down(void) {
#pragma omp parallel for ordered(2) schedule(dynamic)
  for (int i = N - 2; i >= 0; i--)
    for (unsigned j = 4; j > 0; j -= 2) {
#pragma omp ordered depend(sink : i + 1, j)
      a[i][j] += a[i + 1][j] + (int)j;
#pragma omp ordered depend(source)
    }
}

static long sum(void) {
  long s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) s = s * 3 % 1000003 + a[i][j];
  for (int i = 0; i <= N; i++) s = s * 5 % 1000003 + b[i] % 1000;
  return s;
}

int main(void) {
  one(3, N);
  printf("%ld\n", sum());
  one(2, N);
  printf("%ld\n", sum());
  for (int schedule = 0; schedule < 2; schedule++) {
    two(N, N, schedule);
    printf("%ld\n", sum());
    two(1, N, schedule);
    two(N, 1, schedule);
    printf("%ld\n", sum());
  }
  down();
  printf("%ld\n", sum());
  return 0;
}
