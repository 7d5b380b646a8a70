/* Searches that add up on the way, and loops that only look like them. All sums are exact. */
#include <math.h>
#include <stdio.h>

enum { MOST = 1300 };
static double d[MOST], e[MOST];
static int w[MOST];
static double g[4];

static void norms(int n) {
  double one = 0, most = 0, two = 0; int at = 0;
  for (int i = 0; i < n; i++) {
    double x = fabs(d[i] - e[i]);
    one += x; two = two + x * x - e[i];
    if (x > most) { most = x; at = i; }
  }
  g[0] = one; g[1] = two; g[2] = most; g[3] = at;
}
static double mean_and_least(const float *a, int n, int *at) {
  double s = 1; float m = 1e9f; *at = 0;
  int b = -1;
  for (int i = 0; i < n; i++) { if (a[i] < m) { m = a[i]; b = i; } s += a[i] - 3; }
  *at = b;
  return s;
}
static long counted(const int *a, int n, long *at) {
  long total = 7; int m = -1; long b = 0; unsigned hash = 3;
  for (long i = 0; i < n; i++) { total += a[i]; hash += (unsigned)a[i] * 77u; if (a[i] > m) { m = a[i]; b = i; } }
  *at = b + hash;
  return total;
}
/* A record sets it back: it is stored twice. */
static int since(const int *a, int n) {
  int m = -1, b = 0, s = 0;
  for (int i = 0; i < n; i++) { s += a[i]; if (a[i] > m) { m = a[i]; b = i; s = b; } }
  return s;
}
/* What is summed decides, is looked at, or is kept. */
static int decides(const int *a, int n) {
  int m = -1, b = 0, s = 0;
  for (int i = 0; i < n; i++) { s += a[i] & 3; if (a[i] + s > m) { m = a[i] + s; b = i; } }
  return b + s;
}
static int kept(const int *a, int n) {
  int m = -1, b = 0, s = 0;
  for (int i = 0; i < n; i++) { s += a[i]; if (a[i] > m) { m = a[i]; b = s; } }
  return b + s;
}
static double alternating(const double *a, int n) {
  double s = 0, m = -1; int b = 0;
  for (int i = 0; i < n; i++) { s = a[i] - s; if (a[i] > m) { m = a[i]; b = i; } }
  return s + b;
}
static int last_value(const int *a, int n) {
  int m = -1, b = 0, s = 0;
  for (int i = 0; i < n; i++) { s = a[i] + 1; if (a[i] > m) { m = a[i]; b = i; } }
  return b + s;
}

int main(void) {
  static const int sizes[] = {0, 1, 127, 128, 129, 256, 257, 511, 640, 900, MOST};
  static float f[MOST];
  for (int kind = 0; kind < 5; kind++)
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++) {
      unsigned s = 99u + kind; int n = sizes[k], at; long place;
      for (int i = 0; i < MOST; i++) {
        s = s * 1664525u + 1013904223u;
        w[i] = kind == 1 ? i : kind == 2 ? MOST - i : kind == 3 ? 9 : (int)(s >> 12) % 1000;
        d[i] = w[i]; e[i] = (s >> 20) % 50; f[i] = w[i];
      }
      if (kind == 4 && n) { w[n - 1] = d[n - 1] = 5000; f[n - 1] = -5; }
      norms(n);
      printf("%d %d: %g %g %g %g", kind, n, g[0], g[1], g[2], g[3]);
      printf(" %g", mean_and_least(f, n, &at)); printf(" %d", at);
      printf(" %ld", counted(w, n, &place)); printf(" %ld", place);
      printf(" | %d %d %d %g %d\n", since(w, n), decides(w, n), kept(w, n), alternating(d, n), last_value(w, n));
    }
  return 0;
}
