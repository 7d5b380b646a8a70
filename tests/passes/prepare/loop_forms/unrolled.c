/* Loops unrolled by hand, and loops that only look like it. Each prints what it leaves. */
#include <stdio.h>
#include <string.h>

enum { MOST = 130 };
static double x[MOST], y[MOST];
static int w[MOST], map[MOST];
static unsigned char u[MOST];

static void up_to_bound(double *a, const double *b, int n, double s) {
  int i;
  for (i = 0; i < n - 3; i += 4) {
    a[i] += s * b[i]; a[i + 1] += s * b[i + 1]; a[i + 2] += s * b[i + 2]; a[i + 3] += s * b[i + 3];
  }
  for (; i < n; i++) a[i] += s * b[i];
}
static void from_rest(double *a, const double *b, int n, double s) {
  int i, m = n % 4;
  for (i = 0; i < m; i++) a[i] += s * b[i];
  for (i = m; i < n; i += 4) {
    a[i] += s * b[i]; a[i + 1] += s * b[i + 1]; a[i + 2] += s * b[i + 2]; a[i + 3] += s * b[i + 3];
  }
}
static void by_three(double *a, int n) {
  for (int i = 0; i < n - 2; i += 3) { a[i] = 3 - a[i]; a[i + 1] = 3 - a[i + 1]; a[i + 2] = 3 - a[i + 2]; }
}
static int past_the_end(int *a, int n) {
  int i;
  for (i = 0; i < n; i += 5) { a[i] ^= 9; a[i + 1] ^= 9; a[i + 2] ^= 9; a[i + 3] ^= 9; a[i + 4] ^= 9; }
  return i;
}
static int from_anywhere(int *a, int first, int n) {
  int i;
  for (i = first; i < n; i += 2) { a[i + 8] += a[i + 9]; a[i + 9] += a[i + 10]; }
  return i;
}
static void known(int *a) {
  for (int i = 1; i <= 60; i += 4) { a[i] = a[i + 1] - a[i]; a[i + 1] = a[i + 2] - a[i + 1]; a[i + 2] = a[i + 3] - a[i + 2]; a[i + 3] = a[i + 4] - a[i + 3]; }
}
static void carried(int *a, int n) {
  for (int i = 1; i < n - 1; i += 2) { a[i] += 3 * a[i - 1]; a[i + 1] += 3 * a[i]; }
}
static double summed(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n - 1; i += 2) { s += a[i] * a[i]; s += a[i + 1] * a[i + 1]; }
  return s;
}
static void mapped(int *a, const int *p, int n) {
  for (int i = 0; i < n - 1; i += 2) { a[p[i]] += a[i]; a[p[i + 1]] += a[i + 1]; }
}
static void doubled(int *a, int n) {
  for (int i = 0; i < n / 2 - 1; i += 2) { a[2 * i] = -a[2 * i + 1]; a[2 * i + 2] = -a[2 * i + 3]; }
}
static void in_pairs(int *a, int n) {
  for (int i = 0; i < n - 7; i += 8) { a[i] += 1; a[i + 1] -= a[i]; a[i + 4] += 1; a[i + 5] -= a[i + 4]; }
}
static void of_bytes(unsigned char *p, int n) {
  for (int i = 0; i < n - 2; i += 3) { p[i] = 255 - p[i]; p[i + 1] = 255 - p[i + 1]; p[i + 2] = 255 - p[i + 2]; }
}
static void counted_first(int *a, int *b, int n) {
  int i = 0;
  while (i < n - 3) { int k = i; i += 2; a[k] = b[i] + i; a[k + 1] = b[i + 1] + (i + 1); }
}
static int length, offset[MOST];
static void up_to_global(void) {
  for (int i = 0; i < length; i += 2) { x[i] += y[1] * y[i]; x[i + 1] += y[1] * y[i + 1]; }
}
static double product(const double *a, const double *b, int n) {
  double s = 0.3;
  for (int i = 0; i < n - 2; i += 3) s = s + a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2];
  return s;
}
static int added_first(const int *a, const int *b, int n) {
  int s = 5;
  for (int i = 0; i < n - 3; i += 4) s += a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3];
  return s;
}
static double of_two_terms(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n - 1; i += 2) s = s + a[i] + 3 * b[i] + a[i + 1] + 3 * b[i + 1];
  return s;
}
static double added_apart(const double *a, const double *b, int n) {
  double s = 0.3;
  for (int i = 0; i < n - 1; i += 2) s += a[i] * b[i] + a[i + 1] * b[i + 1];
  return s;
}
static double added_last(const double *a, const double *b, int n) {
  double s = 0.3;
  for (int i = 0; i < n - 1; i += 2) s = a[i] * b[i] + a[i + 1] * b[i + 1] + s;
  return s;
}
static void into_itself(double *a, const double *b, int n) {
  for (int i = 0; i < n - 1; i += 2) a[3] = a[3] + b[i] + b[i + 1];
}
static void moving_bound(int *a) {
  for (int i = 0; i < offset[0]; i += 2) { a[i] += 3; a[i + 1] += 3; }
}
static int other_factor(const int *a, const int *b, int n) {
  int s = 5;
  for (int i = 0; i < n - 1; i += 2) s = s + 2 * a[i] + 3 * a[i + 1];
  return s;
}
static void other_number(int *a, int n) {
  for (int i = 0; i < n - 1; i += 2) { a[i] += 3; a[i + 1] += 4; }
}
static void other_order(int *a, int n) {
  for (int i = 0; i < n - 1; i += 2) { a[i + 1] += a[i]; a[i] += a[i + 1]; }
}
static void with_hole(int *a, int n) {
  for (int i = 0; i < n - 2; i += 3) { a[i] += 3; a[i + 1] += 3; }
}
static void too_far(int *a, int n) {
  for (int i = 0; i < n - 3; i += 2) { a[i] += a[i + 1]; a[i + 2] += a[i + 3]; }
}
static void complex_ones(double *a, int n) {
  for (int i = 0; i < n - 1; i += 2) { double re = a[i], im = a[i + 1]; a[i] = re * re - im * im; a[i + 1] = 2 * re * im; }
}
static void wide_sum(int *a, int n) {
  for (int i = 0; i < n - 1; i += 2) { int t = a[i] + a[i + 1]; a[i] = t; a[i + 1] = t; }
}
static void with_branch(int *a, int n) {
  for (int i = 0; i < n - 1; i += 2) { if (a[i] == 7) break; a[i] += 3; a[i + 1] += 3; }
}

static void fill(void) {
  unsigned s = 7;
  for (int i = 0; i < MOST; i++) {
    s = s * 1664525u + 1013904223u;
    x[i] = (s >> 20) * 0.25; y[i] = (s >> 12) % 100; w[i] = (int)((s >> 9) % 1000); u[i] = s >> 24;
    map[i] = (int)((s >> 16) % MOST);
  }
}
/* Sums into another element in each iteration. */
void each_second(int *a, const int *b, int n) { for (int i = 0; i < n; i += 2) a[i] += b[i] + b[i + 1]; }
static int counts[8], seen[MOST];
void looked_up(int n) { for (int i = 0; i < n; i += 2) counts[seen[i] & 7] += seen[i] + seen[i + 1]; }
void each_second_apart(int *restrict a, const int *restrict b, int n)
{
  for (int i = 0; i < n; i += 2) a[i] += b[i] + b[i + 1];
}
static void show(const char *name) {
  unsigned h = 0;
  unsigned char bytes[sizeof x];
  memcpy(bytes, x, sizeof x);
  for (unsigned i = 0; i < sizeof x; i++) h = h * 31 + bytes[i];
  for (int i = 0; i < MOST; i++) h = h * 31 + (unsigned)w[i] + u[i];
  printf(" %s %u", name, h);
}

int main(void) {
  for (int n = 0; n < 44; n++) {
    printf("%d:", n);
    fill(); up_to_bound(x, y, n, 0.5); show("up_to_bound");
    fill(); up_to_bound(x + 1, x, n, 0.5); show("up_to_bound behind");
    fill(); up_to_bound(x, x + 2, n, 0.5); show("up_to_bound ahead");
    fill(); from_rest(x, y, n, 0.5); show("from_rest"); from_rest(x + 3, x, -n, 0.5); show("none");
    fill(); by_three(x, n); show("by_three");
    fill(); printf(" %d", past_the_end(w, n)); show("past_the_end");
    for (int first = -8; first < 9; first++) { fill(); printf(" %d", from_anywhere(w, first, n)); show("from_anywhere"); }
    fill(); known(w); show("known"); carried(w, n); show("carried");
    fill(); x[0] = summed(x, n); show("summed");
    fill(); mapped(w, map, n); show("mapped"); doubled(w, n); show("doubled"); in_pairs(w, n); show("in_pairs");
    fill(); counted_first(w, w + 1, n); show("counted_first"); counted_first(w + 2, w, n); show("counted_first");
    fill(); of_bytes(u, n); show("of_bytes"); other_number(w, n); show("other_number"); other_order(w, n); show("other_order");
    fill(); with_hole(w, n); show("with_hole"); too_far(w, n); show("too_far"); complex_ones(x, n); show("complex_ones");
    fill(); wide_sum(w, n); show("wide_sum"); with_branch(w, n); show("with_branch");
    fill(); length = n; up_to_global(); show("up_to_global");
    fill(); x[0] = product(x, y, n); x[1] = of_two_terms(x, y, n); show("product");
    fill(); x[0] = added_apart(x, y, n); x[1] = added_last(x, y, n); show("added_apart");
    fill(); into_itself(x, y, n); show("into_itself"); into_itself(x, x, n); show("into_itself beside");
    fill(); w[0] = added_first(w, map, n); w[1] = other_factor(w, map, n); show("added_first");
    fill(); offset[0] = n; moving_bound(w); moving_bound(offset); show("moving_bound"); printf(" %d", offset[0]);
    fill(); each_second(w, map, n); each_second(w + 1, w, n); show("each_second");
    fill(); each_second_apart(w, map, n); show("each_second_apart");
    for (int i = 0; i < MOST; i++) seen[i] = map[i];
    looked_up(n); for (int i = 0; i < 8; i++) printf(" %d", counts[i]); show("looked_up");
    printf("\n");
  }
  return 0;
}
