// Iterations that see what those before them have added up.
#include <stdio.h>
#define N 100

static int a[N], b[N], c[N];

static int inclusive(int start) {
  int x = start;
#pragma omp parallel for simd reduction(inscan, + : x)
  for (int i = 0; i < N; i++) {
    x += a[i];
#pragma omp scan inclusive(x)
    b[i] = x;
  }
  return x;
}

static int exclusive(int start) {
  int x = start;
#pragma omp parallel
  {
#pragma omp for reduction(inscan, + : x)
    for (int i = 0; i < N; i++) {
      b[i] = x;
#pragma omp scan exclusive(x)
      {
        int more = a[i];
        x += more;
      }
    }
#pragma omp for
    for (int i = 0; i < N; i++) c[i] = b[i];
  }
  return x;
}

static int best(int *least) {
  int most = -1000, low = 1000, i;
#pragma omp simd reduction(inscan, max : most) reduction(inscan, min : low)
  for (i = 0; i < N; i++) {
    most = a[i];
    low = a[i];
#pragma omp scan inclusive(most, low)
    b[i] = most - low;
  }
  *least = low;
  return most + i;
}

static long digest(const int *v) {
  long s = 0;
  for (int i = 0; i < N; i++) s = (s * 31 + v[i]) % 1000003;
  return s;
}

int main(void) {
  int least;
  for (int i = 0; i < N; i++) a[i] = i * 37 % 101 - 20;
  printf("%d", inclusive(5));
  printf(" %ld\n", digest(b));
  printf("%d", exclusive(7));
  printf(" %ld %ld\n", digest(b), digest(c));
  printf("%d", best(&least));
  printf(" %d %ld\n", least, digest(b));
  return 0;
}
