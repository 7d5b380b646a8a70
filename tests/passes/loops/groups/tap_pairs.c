/* Filters of 16 bits, in arrays that end where memory does: all numbers of taps around those of
   steps, outputs around those of vectors, with a hash of the results after each. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

enum { MOST = 300, TAPS = 19, PAGE = 1 << 14 };

static void onward(int n, int t, const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y) {
  for (int i = 0; i < n; i++) {
    int s = 1 << 14;
    for (int k = 0; k < t; k++) s += x[i + k] * h[k];
    s >>= 15;
    y[i] = s > 32767 ? 32767 : s < -32768 ? -32768 : s;
  }
}
static void turned(int n, int t, const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < t; k++) s += h[t - 1 - k] * x[i + k];
    y[i] = s;
  }
}
static void backward(int n, int t, const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y) {
  x += t;
  for (int i = 0; i < n; i++) {
    int s = -1;
    for (int k = 0; k < t; k++) s += x[i - k - 1] * h[k];
    y[i] = s >> 3;
  }
}
static void both_backward(int n, int t, const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = t - 1; k >= 0; k--) s += x[i + k] * h[k];
    y[i] = s ^ 1;
  }
}
static void twelve(int n, int t, const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < 12; k++) s += x[i + k] * h[k];
    y[i] = s >> 7;
  }
}
static void two_rows(int n, int t, const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < t; k++) s += x[i + k] * h[k] + x[i + k + 5] * h[k + 1];
    y[i] = s >> 2;
  }
}
static void every_other(int n, int t, const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < t; k++) s += x[i + 2 * k] * h[k];
    y[i] = s >> 2;
  }
}
static void unsigned_ones(int n, int t, const uint16_t *restrict x, const int16_t *restrict h, int16_t *restrict y) {
  for (int i = 0; i < n; i++) {
    unsigned s = 0;
    for (int k = 0; k < t; k++) s += (unsigned)x[i + k] * h[k];
    y[i] = s >> 9;
  }
}

static int16_t *ends_here(int which, int elements) {
  static char *places[3];
  if (!places[which]) {
    places[which] = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(places[which] + PAGE, PAGE, PROT_NONE);
  }
  return (int16_t *)(places[which] + PAGE) - elements;
}

static void fill(int16_t *p, int n, unsigned state) {
  for (int k = 0; k < n; k++) {
    state = state * 1664525u + 1013904223u;
    p[k] = state >> 28 ? (int16_t)(state >> 13) : INT16_MIN;
  }
}

int main(void) {
  for (int k = 0; k < 8; k++)
    for (int t = 0; t < TAPS; t++)
      for (int n = 0; n < MOST; n = n < 70 ? n + 9 : n + 37) {
        int taps = k == 4 ? 12 : t;
        int reach = k == 6 ? 2 * taps : taps;
        int first = n + reach - (reach > 0) + (k == 2) + (k == 5 ? 5 : 0), factors = taps + (k == 5);
        int16_t *x = ends_here(0, first), *h = ends_here(1, factors), *y = ends_here(2, n);
        fill(x, first, 3 * k + n), fill(h, factors, t + 5), fill(y, n, 1);
        switch (k) {
        case 0: onward(n, t, x, h, y); break;
        case 1: turned(n, t, x, h, y); break;
        case 2: backward(n, t, x, h, y); break;
        case 3: both_backward(n, t, x, h, y); break;
        case 4: twelve(n, t, x, h, y); break;
        case 5: two_rows(n, t, x, h, y); break;
        case 6: every_other(n, t, x, h, y); break;
        case 7: unsigned_ones(n, t, (uint16_t *)x, h, y); break;
        }
        uint64_t hash = 0;
        for (int p = 0; p < n; p++) hash = (hash ^ (uint16_t)y[p]) * 1099511628211u;
        printf("%d %d %d %llx\n", k, t, n, (unsigned long long)hash);
      }
  return 0;
}
