/* Every kind of loop under every schedule runs each iteration once, and leaves what C leaves. */
#include <omp.h>
#include <stdio.h>
#define N 203

static int seen[N + 1];
static double a[N], b[N];

static void report(const char *name) {
  int wrong = 0, sum = 0;
  for (int i = 0; i < N; i++) {
    wrong += seen[i] > 1;
    sum += i * seen[i];
    seen[i] = 0;
  }
  printf("%s: wrong %d sum %d\n", name, wrong, sum);
}

#define TRY(name, clauses, init, test, step, at)                                    \
  _Pragma("omp parallel") {                                                         \
    _Pragma(clauses) for (init; test; step) {                                       \
      _Pragma("omp atomic") seen[at]++;                                             \
    }                                                                               \
  }                                                                                 \
  report(name)

#define ALL(what, init, test, step, at)                                             \
  TRY(what " static", "omp for", init, test, step, at);                             \
  TRY(what " static,3", "omp for schedule(static, 3)", init, test, step, at);       \
  TRY(what " dynamic,5", "omp for schedule(dynamic, 5)", init, test, step, at)

#define OTHERS(what, init, test, step, at)                                          \
  TRY(what " dynamic", "omp for schedule(dynamic) nowait", init, test, step, at);   \
  TRY(what " guided", "omp for schedule(guided, 2)", init, test, step, at);         \
  TRY(what " runtime", "omp for schedule(runtime)", init, test, step, at);          \
  TRY(what " auto", "omp for schedule(auto)", init, test, step, at)

int main(void) {
  int n = N, zero = 0, three = 3;
  long wide = N;
  ALL("up", int i = 0, i < n, i++, i);
  ALL("up to", int i = 1, i <= 100, i += three, i);
  ALL("down", int i = n - 1, i >= 0, i--, i);
  OTHERS("up", int i = 0, i < n, i++, i);
  OTHERS("down by", int i = N - 1, i > 7, i -= 4, i);
  ALL("down by", int i = N - 1, i > 7, i -= 4, i);
  ALL("unsigned", unsigned i = 3u, i < (unsigned)n, i = i + 2, i);
  ALL("short down", short i = 200, i > 10, i = i - 3, i);
  ALL("wide", long i = 0, wide > i, i = 5 + i, i);
  ALL("mixed", int i = 0, i < wide, ++i, i);
  ALL("not equal", int i = 0, i != n, i++, i);
  ALL("empty", int i = 5, i < zero, i++, i);
  ALL("one", int i = 4, i < 5, i++, i);

  int i, j, k;
#pragma omp parallel for collapse(3) private(k) schedule(static)
  for (i = 0; i < 5; i++)
    for (j = 6; j > 0; j -= 2)
      for (k = 1; k <= 4; k++)
#pragma omp atomic
        seen[i * 12 + (j / 2 - 1) * 4 + k - 1]++;
  report("collapse");
#pragma omp parallel for collapse(2) schedule(dynamic, 4)
  for (i = 0; i < n - 200; i++)
    for (int l = 0; l < 7; l += 1) {
      if (l == 3) continue;
#pragma omp atomic
      seen[i * 7 + l]++;
    }
  report("collapse, continue");

#pragma omp parallel for
  for (i = 0; i < N; i++) a[i] = i;
#pragma omp parallel
  {
#pragma omp for nowait
    for (i = 0; i < N; i++) b[i] = a[i] * 2;
#pragma omp for
    for (i = 0; i < N; i++) b[i] += 1;
  }
  double s = 0;
  for (i = 0; i < N; i++) s += b[i] * i;
  printf("%g\n", s);

  int last = -1;
#pragma omp parallel for lastprivate(i, last) schedule(dynamic, 3)
  for (i = 0; i < 100; i += 7) last = i * 10;
  printf("last %d %d\n", i, last);
#pragma omp parallel for lastprivate(last) schedule(static, 2)
  for (i = 50; i > 2; i -= 5) last = i;
  printf("last %d\n", last);
#pragma omp simd
  for (i = 0; i < 10; i += 4) a[i] = 1;
  printf("simd %d\n", i);
#pragma omp simd collapse(2) lastprivate(last)
  for (i = 0; i < 3; i++)
    for (j = 9; j > 3; j -= 4) last = i + j;
  printf("simd %d %d %d\n", i, j, last);
#pragma omp parallel for simd lastprivate(last) schedule(simd: static, 4)
  for (i = 0; i < 10; i++) last = i, a[i] = 2;
  printf("for simd %d\n", last);

  int turn = 0;
#pragma omp parallel for ordered schedule(static, 2)
  for (i = 0; i < 20; i++) {
    int square = i * i;
#pragma omp ordered
    {
      printf("%d:%d ", turn++, square);
    }
  }
#pragma omp parallel for ordered schedule(dynamic)
  for (i = 5; i > 0; i--)
#pragma omp ordered
    printf("%d ", i);
  printf("\n");
  long cells = 0;
#pragma omp parallel for collapse(3) reduction(+ : cells)
  for (int r = 0; r < 9; r++)
    for (int c = 0; c <= r; c++)
      for (int d = 0; d < 4; d++) cells += r * 100 + c * 10 + d;
#pragma omp parallel for collapse(3) reduction(+ : cells) private(j, k)
  for (i = 0; i < 9; i++)
    for (j = 7; j > i - 3; j--)
      for (k = j; k < 12; k++) cells += i * 100 + j * 10 + k;
  printf("triangles %ld\n", cells);
  return 0;
}
