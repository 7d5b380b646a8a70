/* Functions that anyone may call, called with small numbers, with others, and through their address. */
#include <stdio.h>
#include <string.h>

static double x[80], y[80];
static int calls;

/* A triangle: each element is reduced by those before it. `a` and `b` may be the same array. */
#define TRIANGLE(NAME)                                    \
  void NAME(int n, int m, double *a, const double *b) {   \
    static int times;                                     \
    calls += ++times;                                     \
    for (int k = 0; k < n; k++)                           \
      for (int i = k + 1; i < m; i++)                     \
        a[i] -= 0.25 * b[k] * a[i - k];                   \
    for (int i = 0; i < m; i++) a[i] = a[i] * 0.5 + n;    \
  }

TRIANGLE(t0) TRIANGLE(t1) TRIANGLE(t2) TRIANGLE(t3)

/* Neighbours on a torus: divided by the number, as what it is and as another type. */
void ring(int n, int m, double *a, const double *b) {
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < n; i++)
      a[i] = a[i] * 0.5 + b[(i + j - 1 + n) % n] - 0.25 * b[(unsigned)(i * m + j) % (unsigned)n];
  calls += n ? m / n : 0;
}

/* It changes what it was given, and calls itself with a number. */
int shrinking(int n, int down) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += i * down;
  n = n / 2 + 1;
  for (int i = n; i-- > 0;) sum ^= i;
  return down > 0 ? sum + shrinking(6, down - 1) + shrinking(n, down - 2) : sum;
}

static int two(int n, const int *a) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * n;
  return sum;
}

/* The number is another parameter from call to call. */
__attribute__((noinline)) int block(int m, int n, int *a) {
  unsigned sum = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) sum = sum * 3 + a[(i + 2 * j) % 9];
  return sum & 0xffff;
}

typedef void triangle(int, int, double *, const double *);
static triangle *volatile by_address = t0;

static void fill(void) {
  for (int i = 0; i < 80; i++) x[i] = i % 7 * 0.5, y[i] = i % 5 * 0.25;
}

static void show(const char *name) {
  double sum = 0;
  for (int i = 0; i < 80; i++) sum += x[i] * (i % 13 + 1);
  printf("%s %a %d\n", name, sum, calls);
  fill();
}

#define EACH(NAME, N, M)                                  \
  NAME(N, M, x, y), show(#NAME);                          \
  NAME(N, M, x, x), show(#NAME);                          \
  NAME(N, M, x + 1, x), show(#NAME);                      \
  for (int n = 0; n < 70; n += 3) NAME(n, n + 2, x, y), show(#NAME)

int main(void) {
  int a[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5};
  fill();
  EACH(t0, 1, 1);
  EACH(t1, 9, 8);
  EACH(t2, 17, 33);
  EACH(t3, 64, 64);
  EACH(ring, 77, 3);
  by_address(3, 7, x, y), show("address");
  printf("%d %d %d\n", shrinking(7, 4), two(5, a), two(9, a));
  for (int n = 0; n < calls; n += 300) printf("%d %d\n", block(8, n, a), block(n, 8, a));
  return 0;
}
