#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define M 9000
static int ptr[M + 2], key[M], values[M], counts[M];
static unsigned char byte[M];
static signed char small[M];
static double w[M], x[M], y[M + 8], highest[300], sums[300];
static float fx[M], fy[M], grid[32][32];
static int bins[256], many[20000];
static long wide[20000];
static short narrow[600];
static unsigned found[20000];
static unsigned long hash;
void bytes(int n, const unsigned char *restrict x, int *restrict h) {
  for (int i = 0; i < n; i++) h[x[i]]++;
}
void plain(int n, const int *k, int *h) {
  for (int i = 0; i < n; i++) h[k[i] & 255] += i;
}
void modulo(int n, int m, const int *restrict k, int *restrict h) {
  for (int i = 0; i < n; i++) h[(unsigned)k[i] % m] += i;
}
void signed_modulo(int n, int m, const int *restrict k, long *restrict h) {
  for (int i = 0; i < n; i++) h[k[i] % m] -= i;
}
void asked(int n, int m, const int *restrict k, unsigned *restrict h) {
  for (int i = 0; i < n; i++) {
    int b = k[i];
    if (b >= 0 && b < m) h[b] ^= i;
  }
}
void downwards(int n, const signed char *restrict k, short *restrict h) {
  for (int i = n - 1; i >= 0; i -= 2) h[k[i]] += 300;
}
void global(unsigned n, const unsigned char *restrict x) {
  for (unsigned i = 0; i < n; i++) bins[x[i]]++;
}
void plane(int n, const float *restrict x, const float *restrict y) {
  for (int i = 0; i < n; i++) {
    int a = (int)(x[i] * 32), b = (int)(y[i] * 32);
    if (a >= 0 && a < 32 && b >= 0 && b < 32) grid[a][b] += 1;
  }
}
void picture(int n, int m, const unsigned char *restrict x, unsigned *restrict h) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) h[x[i * m + j]]++;
}
long local(int n, const int *k) {
  long h[100], s = 0;
  for (int i = 0; i < 100; i++) h[i] = i;
  for (int i = 0; i < n; i++) h[(unsigned)k[i] % 100] ^= i;
  for (int i = 0; i < 100; i++) s = s * 31 + h[i];
  return s;
}
void scattered(int n, const int *restrict p, const unsigned char *restrict c,
               const double *restrict v, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = p[i]; j < p[i + 1]; j++) y[c[j]] += v[j] * x[i];
}
void extremes(int n, const unsigned char *restrict k, const double *restrict v,
              double *restrict h) {
  for (int i = 0; i < n; i++) h[k[i]] = v[i] > h[k[i]] ? v[i] : h[k[i]];
}
void two(int n, const unsigned char *restrict k, int *restrict count, double *restrict sum,
         const double *restrict v) {
  for (int i = 0; i < n; i++) { count[k[i]]++; sum[k[i]] += v[i]; }
}
double dot(int n, const int *restrict p, const double *restrict v) {
  double s = 3;
  for (int i = 0; i < n; i++) {
    double t = 0;
    for (int j = p[i]; j < p[i + 1]; j++) t += v[j];
    s -= t * t;
  }
  return s;
}
double highest_row(int n, const int *restrict p, const double *restrict v) {
  double s = -1e30;
  for (int i = 0; i < n; i++) {
    double t = 0;
    for (int j = p[i]; j < p[i + 1]; j++) t += v[j];
    if (t > s) s = t;
  }
  return s;
}
double lowest_row(int n, const int *restrict p, const double *restrict v) {
  double s = 1e30;
  for (int i = n - 1; i >= 0; i--) {
    double t = 0;
    for (int j = p[i]; j < p[i + 1]; j++) t += v[j];
    s = s <= t ? s : t;
  }
  return s;
}
int handed_on(int n, const int *restrict p, const int *restrict v, int *out) {
  int s = 1000000, c = 0;
  for (int i = 0; i < n; i++) {
    int t = 0;
    for (int j = p[i]; j < p[i + 1]; j++) { t += v[j]; if (v[j] & 1) c++; }
    if (t < s) s = t;
  }
  *out = c;
  return s;
}
void escape(int n, const double *a, double *y) {
  for (int i = 0; i < n; i++) {
    double t = a[i];
    int k = 0;
    while (t < 100 && k < 50) { t = t * t + a[i] * 0.5 + 1; k++; }
    y[i] = k;
  }
}
static void show(const void *p, size_t n) {
  const unsigned char *b = p;
  for (size_t i = 0; i < n; i++) hash = (hash ^ b[i]) * 1099511628211ul;
  printf("%lx\n", hash);
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0, out = 0;
  for (int i = 0; i < 300; i++) highest[i] = sums[i] = -3;
  for (int i = 0; i < n; i++) {
    ptr[i + 1] = ptr[i] + (i % 5 == 0) * (i % 3);
    key[i] = (unsigned)i * 2654435761u >> 3;
    byte[i] = i * 7 ^ i >> 5;
    small[i] = i * 11;
    w[i] = i % 17 - 8;
    x[i] = i % 5 - 2;
    fx[i] = i * 37 % 101 / 90.f - 0.05f;
    fy[i] = i * 53 % 103 / 90.f - 0.05f;
    values[i] = i * 77 % 1001 - 500;
  }
  bytes(n, byte, many);
  show(many, sizeof many);
  for (int i = 0; i < 3000; i++) many[i] = i * 7;
  plain(n > 3000 ? 3000 : n, many, many + 10);
  show(many, sizeof many);
  plain(n, key, many);
  modulo(n, 1000, key, many);
  modulo(n, 19999, key, many);
  show(many, sizeof many);
  signed_modulo(n, 777, key, wide + 800);
  show(wide, sizeof wide);
  asked(n, 15000, key, found);
  asked(n, 300, values, found);
  if (n) downwards(n, small, narrow + 300);
  show(narrow, sizeof narrow);
  global(n, byte);
  show(bins, sizeof bins);
  plane(n, fx, fy);
  show(grid, sizeof grid);
  picture(n / 100, 100, byte, found);
  show(found, sizeof found);
  scattered(n, ptr, byte, w, x, sums);
  extremes(n, byte, w, highest);
  two(n, byte, counts, sums, w);
  show(highest, sizeof highest);
  show(sums, sizeof sums);
  show(counts, sizeof counts);
  int least = handed_on(n, ptr, values, &out);
  printf("%ld %d %d\n", local(n, key), least, out);
  printf("%a %a %a\n", dot(n, ptr, w), highest_row(n, ptr, w), lowest_row(n, ptr, w));
  escape(n, w, y);
  escape(n > 2000 ? 2000 : n, y, y + 3);
  show(y, sizeof y);
}
