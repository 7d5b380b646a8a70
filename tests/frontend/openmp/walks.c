/* Loops along pointers (OpenMP 4.5, 2.6: the variable may be one): numbers of elements from the first one on. */
#include <stdio.h>
static double a[1000], b[1000]; static int g[40][30];
struct s { char c; int v; } r[77];
int main(void) {
  double *end = a + 1000, *q, *last = 0; int n = 7, k = 0;
#pragma omp parallel for
  for (double *p = a; p < end; p++) *p = (p - a) * 0.5;
#pragma omp parallel for schedule(dynamic, 3) reduction(+:k)
  for (q = end - 1; q >= a; q -= 3) { b[q - a] = *q + 1; k++; }
#pragma omp parallel for lastprivate(q) firstprivate(n)
  for (q = a; q != end; ++q) *q += n;
  printf("%d %d %d\n", k, (int)(q - a), n);
#pragma omp parallel for collapse(2)
  for (int (*row)[30] = g; row < g + 40; row++) for (int j = 0; j < 30; j++) (*row)[j] = (int)(row - g) * 100 + j;
#pragma omp parallel for
  for (struct s *p = r; p <= &r[76]; p = p + 2) { p->v = (int)(p - r); p->c = 1; }
#pragma omp parallel
  {
#pragma omp for nowait schedule(guided)
    for (double *p = b; end - 1000 + 1000 - a + b > p; p = 5 + p) *p *= 2;
  }
#pragma omp simd
  for (q = a; q < a + 500; q++) *q *= 3;
  printf("%d\n", (int)(q - a));
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(9) lastprivate(q)
  for (q = a; q < end; q += n) *q -= 1;
  printf("%d\n", (int)(q - a));
  int f = 3;
#pragma omp simd
  for (double *p = a + 8; p < a + 40; p += 4)
    *p += f;
#pragma omp parallel for
  for (double *p = end; p < a; p++)
    *p = 0;
  char text[] = "in order";
#pragma omp parallel for ordered schedule(static, 2)
  for (char *p = text; p < text + 8; p++) {
#pragma omp ordered
    putchar(*p);
  }
  putchar('\n');
  double s = 0; long t = 0; for (int i = 0; i < 1000; i++) s += a[i] * (i % 17) + b[i] * (i % 5);
  for (int i = 0; i < 40; i++) for (int j = 0; j < 30; j++) t = t * 7 + g[i][j];
  for (int i = 0; i < 77; i++) t = t * 3 + r[i].v + r[i].c;
  printf("%a %ld\n", s, t);
}
