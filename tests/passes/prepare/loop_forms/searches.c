/* Searches for the best element, and loops that only look like ones. Each prints what it finds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1200 };
static double d[MOST], e[MOST];
static int w[MOST], map[MOST];
static unsigned char u[MOST];
int found, limit;
double g_best;

static int at_of(const double *a, int n) {
  int b = 0;
  for (int i = 1; i < n; i++) if (a[i] > a[b]) b = i;
  return b;
}
static int at_of_least(const int *a, int n) {
  int b = 0, i = 1;
  while (i < n) { if (!(a[b] <= a[i])) b = i; i++; }
  return b;
}
static double with_place(const double *a, long n, long *at) {
  double m = a[0]; *at = 0;
  long b = 0;
  for (long i = 1; i < n; i++) if (a[i] < m) { m = a[i]; b = i; }
  *at = b;
  return m;
}
static void both(const double *a, int n, double *r, int *at) {
  double lo = a[0], hi = a[0]; int l = 0, h = 0;
  for (int i = 1; i < n; i++) {
    if (a[i] < lo) { lo = a[i]; l = i; }
    if (a[i] > hi) { hi = a[i]; h = i; }
  }
  r[0] = lo; r[1] = hi; at[0] = l; at[1] = h;
}
static double least(const double *a, int n) {
  double m = a[0];
  for (int i = 1; i <= n - 1; ++i) if (a[i] < m) m = a[i];
  return m;
}
static double farthest(const double *a, int n) {
  double m = 0;
  for (int i = 0; i < n; i++) { double t = fabs(a[i] - 0.5); if (t > m) m = t; }
  return m;
}
static int nearest(const double *x, const double *y, unsigned n, double px, double py) {
  int best = -1; double bd = 1e300;
  for (unsigned i = 0; n > i; i++) {
    double dx = x[i] - px, dy = y[i] - py, s = dx*dx + dy*dy;
    if (s < bd) { bd = s; best = (int)i; }
  }
  return best;
}
static int by_continue(const double *a, int n) {
  int b = 0; double m = fabs(a[0]);
  for (int i = 1; i < n; i++) { if (fabs(a[i]) <= m) continue; m = fabs(a[i]); b = i; }
  return b;
}
/* One search in the rest of another, and one that asks for what another has found. */
static void top_two(const double *a, int n, double *r) {
  double m = -1, second = -1;
  for (int i = 0; i < n; i++) {
    if (a[i] > m) { second = m; m = a[i]; }
    else if (a[i] > second) second = a[i];
  }
  r[0] = m; r[1] = second;
}
static int top_three(const int *a, int n) {
  int m = -3, second = -3, third = -3;
  for (int i = 0; i < n; i++) {
    if (a[i] > m) { third = second; second = m; m = a[i]; }
    else if (a[i] > second) { third = second; second = a[i]; }
    else if (third < a[i]) third = a[i];
  }
  return m * 7 + second * 5 + third;
}
static void either(const double *a, int n, double *r) {
  double lo = a[0], hi = a[0];
  for (int i = 1; i < n; i++) { if (a[i] < lo) lo = a[i]; else if (!(a[i] <= hi)) hi = a[i]; }
  r[0] = lo; r[1] = hi;
}
static double drawdown(const double *a, int n) {
  double peak = a[0], most = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] > peak) peak = a[i];
    double d = peak - a[i];
    if (d > most) most = d;
  }
  return most;
}
static int best_trade(const int *a, int n) {
  int low = a[0], most = 0;
  for (int i = 1; i < n; i++) { if (a[i] - low > most) most = a[i] - low; if (a[i] < low) low = a[i]; }
  return most;
}
/* What it looks at in the rest is not looked at in each iteration: where k is no size of b. */
static int in_the_rest(const int *a, const int *b, int n) {
  int m = -1, k = -1;
  for (int i = 0; i < n; i++) { if (a[i] > m) m = a[i]; else if (b[i] > k) k = b[i]; }
  return m * 3 + k;
}
static int second_only(const int *a, int n) {
  int m = -1, k = 0;
  for (int i = 0; i < n; i++) { if (a[i] > m) m = a[i]; else k = a[i]; }
  return m * 3 + k;
}
/* Not side by side. */
static int in_a_column(double (*a)[4], int k, int n) {
  int b = 0; double m = a[0][k];
  for (int i = 1; i < n / 4; i++) { if (a[i][k] <= m) continue; m = a[i][k]; b = i; }
  return b;
}
static int behind_a_map(const int *a, const int *p, int n) {
  int b = 0, m = -1000000;
  for (int i = 0; i < n; i++) if (a[p[i]] > m) { m = a[p[i]]; b = i; }
  return b * 7 + m;
}
static void to_globals(void) {
  found = 0; g_best = d[0];
  for (int i = 1; i < limit; i++) if (d[i] > d[found]) found = i;
  for (int i = 1; i < limit; i++) if (d[i] < g_best) { g_best = d[i]; }
}
static int of_bytes(const unsigned char *a, unsigned long n) {
  unsigned char m = a[0]; unsigned long b = 0;
  for (unsigned long i = 1; i < n; i++) if (a[i] > m) { m = a[i]; b = i; }
  return (int)b * 256 + m;
}
/* Not searches that may look ahead. */
static int two_counters(const int *a, int n) {
  int m = -1000000, b = 0, j = 0;
  for (int i = 0; i < n; i++, j++) if (a[j] > m) { m = a[j]; b = j; }
  return b;
}
static int moved_window(const int *a, int n) {
  int b = 0;
  for (int i = 1; b + i < n && i < n; i++) if (a[b + i] > a[b]) b = i / 2;
  return b;
}
static int shrinking(const int *a, int n) {
  int m = a[0], b = 0; limit = n;
  for (int i = 1; i < limit; i++) if (a[i] > m) { m = a[i]; b = i; limit = n - b / 2; }
  return b;
}
static int counting(const int *a, int n) {
  int m = a[0], b = 0, records = 0;
  for (int i = 1; i < n; i++) { if (a[i] > m) { m = a[i]; b = i; records++; } if (a[i] == 3) records += 2; }
  return b * 1000 + records;
}
static int last_of_equals(const int *a, int n) {
  int m = a[0], b = 0;
  for (int i = 1; i < n; i++) if (a[i] >= m) { m = a[i]; b = i; }
  return b;
}
static int until(const int *a, int n) {
  int m = a[0], b = 0;
  for (int i = 1; i < n; i++) { if (a[i] == 77) break; if (a[i] > m) { m = a[i]; b = i; } }
  return b;
}
static double running(const double *a, double *out, int n) {
  double m = a[0];
  for (int i = 0; i < n; i++) { if (a[i] > m) m = a[i]; out[i] = m; }
  return m;
}

static unsigned calls;
__attribute__((noinline)) static void note(const int *a, int at) { calls = calls * 31 + (unsigned)(at + a[0]); }
static int rows_noted(int *a, int n) {
  int b = 0;
  for (int k = 0; k < 3; k++) {
    b = 0;
    for (int i = 1; i < n; i++) if (a[i] > a[b]) b = i;
    note(a, b);
    a[b] -= 700;
  }
  return b;
}
static void rows_apart(const int *a, int n, int *at) {
  for (int k = 0; k < 3; k++) {
    int b = 0;
    for (int i = 1; i < n; i++) if (a[i] * (k - 1) > a[b] * (k - 1)) b = i;
    at[k] = b;
  }
}

static void show(double x) { unsigned long bits; memcpy(&bits, &x, 8); printf(" %016lx", bits); }

static void fill(int kind, int n) {
  unsigned s = 12345u + kind;
  for (int i = 0; i < MOST; i++) {
    s = s * 1664525u + 1013904223u;
    int x = (int)(s >> 12) % 1000;
    if (kind == 1) x = i;
    if (kind == 2) x = MOST - i;
    if (kind == 3) x = 5;
    if (kind == 4) x = i % 130;
    w[i] = x; u[i] = x & 255; map[i] = (int)((s >> 8) % (unsigned)(n ? n : 1));
    d[i] = x * 0.001; e[i] = (x % 37) * 0.03;
    if (kind == 5) d[i] = (s >> 9) & 1 ? 0.0 : -0.0;
    if (kind == 6 && (s >> 9) % 5 == 0) d[i] = NAN;
  }
  if (kind == 7) d[0] = NAN;
  if (kind == 8) { d[n ? n - 1 : 0] = 9.0; w[n ? n - 1 : 0] = 5000; d[n / 2] = -9.0; w[n / 2] = -5000; }
}

int main(void) {
  static const int sizes[] = {0, 1, 2, 127, 128, 129, 130, 255, 256, 257, 258, 385, 513, 640, 641, 1000, MOST};
  for (int kind = 0; kind < 9; kind++)
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); k++) {
      int n = sizes[k], at[2]; long place; double r[2];
      static double out[MOST];
      fill(kind, n);
      limit = n;
      printf("%d %d: %d %d", kind, n, at_of(d, n), at_of_least(w, n));
      show(with_place(d, n, &place)); both(d, n, r, at); show(r[0]); show(r[1]);
      printf(" %ld %d %d", place, at[0], at[1]);
      show(least(d, n)); show(farthest(d, n));
      printf(" %d %d %d", nearest(d, e, (unsigned)n, 0.3, 0.4), behind_a_map(w, map, n), of_bytes(u, (unsigned long)n));
      printf(" %d %d", by_continue(d, n), in_a_column((double (*)[4])d, 3, n));
      to_globals(); printf(" %d", found); show(g_best);
      top_two(d, n, r); show(r[0]); show(r[1]); either(d, n, r); show(r[0]); show(r[1]); show(drawdown(d, n));
      printf(" %d %d %d %d", top_three(w, n), best_trade(w, n), in_the_rest(w, map, n), second_only(w, n));
      printf(" | %d %d %d", two_counters(w, n), moved_window(w, n), shrinking(w, n));
      printf(" %d %d %d", counting(w, n), last_of_equals(w, n), until(w, n));
      show(running(d, out, n)); show(out[n / 3]);
      int rows[3]; rows_apart(w, n, rows);
      printf(" %d %d %d", rows[0], rows[1], rows[2]);
      printf(" %d", rows_noted(w, n)); printf(" %u\n", calls);
    }
  return 0;
}
