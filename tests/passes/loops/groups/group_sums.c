/* Sums of narrow numbers, of their products and distances, in all signs, at all lengths. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMS(A, B, a, b)                                                                           \
  unsigned dot_##a##b(const A *x, const B *y, int n) {                                             \
    unsigned s = 3;                                                                                \
    for (int i = 0; i < n; i++) s += x[i] * y[i];                                                  \
    return s;                                                                                      \
  }                                                                                                \
  int distance_##a##b(const A *x, const B *y, int n) {                                             \
    int s = 0;                                                                                     \
    for (int i = 0; i < n; i++) s += abs(x[i] - y[i]);                                             \
    return s;                                                                                      \
  }                                                                                                \
  unsigned squares_##a##b(const A *x, const B *y, int n) {                                         \
    unsigned s = 0;                                                                                \
    for (int i = 0; i < n; i++) {                                                                  \
      unsigned d = x[i] - y[i];                                                                    \
      s += d * d;                                                                                  \
    }                                                                                              \
    return s;                                                                                      \
  }                                                                                                \
  int added_##a##b(const A *x, const B *y, int n) {                                                \
    int s = 0;                                                                                     \
    for (int i = 0; i < n; i++) s += x[i] + 3 * y[i];                                              \
    return s;                                                                                      \
  }                                                                                                \
  unsigned shifted_##a##b(const A *x, const B *y, int n) {                                         \
    unsigned s = 0;                                                                                \
    for (int i = 0; i < n; i++) s += (x[i] - 5) * (y[i] + 3);                                      \
    return s;                                                                                      \
  }                                                                                                \
  unsigned moments_##a##b(const A *x, const B *y, int n) {                                         \
    unsigned s = 0, t = 0, u = 1;                                                                  \
    for (int i = 0; i < n; i++) {                                                                  \
      s += x[i];                                                                                   \
      t += (unsigned)x[i] * x[i];                                                                  \
      u += y[i];                                                                                   \
    }                                                                                              \
    return s + 31 * t + 961 * u;                                                                   \
  }                                                                                                \
  unsigned rows_##a##b(const A *x, const B *y, int n) {                                            \
    unsigned r[6], all = 0;                                                                        \
    for (int j = 0; j < 6; j++) {                                                                  \
      unsigned s = j;                                                                              \
      for (int i = j; i < n - 2 * j; i++) s += x[i + 3 * j] * y[i];                                \
      r[j] = s;                                                                                    \
    }                                                                                              \
    for (int j = 0; j < 6; j++) all = 31 * all + r[j];                                             \
    return all;                                                                                    \
  }                                                                                                \
  unsigned counted_##a##b(const A *x, const B *y, int n) {                                         \
    unsigned s = 0, t = 0, u = 2;                                                                  \
    for (int i = 0; i < n; i++) {                                                                  \
      s += x[i] == y[i];                                                                           \
      if (x[i] < y[i]) t += (x[i] ^ 3) & 7;                                                        \
      if (y[i] < -3 || y[i] == 7 || !(x[i] & 16)) u++;                                             \
    }                                                                                              \
    return s + 31 * t + 961 * u;                                                                   \
  }                                                                                                \
  unsigned long letters_##a##b(const A *x, int n) {                                                \
    unsigned long s = 1UL << 32, t = s - 9;                                                        \
    for (int i = 0; i < n; i++) {                                                                  \
      s += (x[i] >= 'A' && x[i] <= 'Z') || (unsigned)(x[i] - '0') < 10;                            \
      t += x[i] < 9 ? 255 : x[i] & 64 ? (x[i] & 127) | 3 : 17;                                     \
    }                                                                                              \
    return s + 31 * t;                                                                             \
  }                                                                                                \
  unsigned chosen_##a##b(const A *x, const B *y, int n) {                                          \
    unsigned s = 5, t = 0, u = 0;                                                                  \
    for (int i = 0; i < n; i++) {                                                                  \
      int d = x[i] - y[i];                                                                         \
      s += d < 0 ? -d : d;                                                                         \
      t += y[i] >= x[i] ? y[i] - x[i] : x[i] - y[i];                                               \
      u += d < 0 ? d : -d;                                                                         \
    }                                                                                              \
    return s + 31 * t + 961 * u;                                                                   \
  }                                                                                                \
  unsigned packed_##a##b(const A *x, const B *y, int n) {                                          \
    unsigned s = 1, t = 0, u = 0;                                                                  \
    for (int i = 0; i < n; i++) {                                                                  \
      s += ((x[i] & 15) - 8) * y[2 * i] + ((x[i] >> 4 & 15) - 8) * y[2 * i + 1];                   \
      t += (x[i] >> 7) * y[i] + (y[i] >> 3) * (x[i] >> 15);                                        \
      u += (x[2 * i] << 1 >> 2) + 3 * (y[i] >> 7);                                                 \
    }                                                                                              \
    return s + 31 * t + 961 * u;                                                                   \
  }                                                                                                \
  long bits_##a##b(const A *x, const B *y, int n) {                                                \
    long s = 1, t = 0;                                                                             \
    for (int i = 0; i < n; i++) {                                                                  \
      s += __builtin_popcount(x[i] ^ y[i]);                                                        \
      t += __builtin_popcount(y[i] & 0x7e);                                                        \
    }                                                                                              \
    return s + 31 * t;                                                                             \
  }                                                                                                \
  unsigned far_##a##b(const A *x, const B *y, int n) {                                             \
    unsigned s = 1;                                                                                \
    for (int i = 0; i < n; i++) s += (x[i] >> 16) * 3 + (y[i] >> 20);                              \
    return s;                                                                                      \
  }                                                                                                \
  static void all_##a##b(const void *p, const void *q, int n) {                                    \
    const A *x = p;                                                                                \
    const B *y = q;                                                                                \
    printf(#a #b " %d %x %d %x %d %x %x %x %x %x %x %x %lx %lx\n", n,                              \
           dot_##a##b(x, y, n), distance_##a##b(x, y, n), squares_##a##b(x, y, n),                 \
           added_##a##b(x, y, n), shifted_##a##b(x, y, n), moments_##a##b(x, y, n),                \
           rows_##a##b(x, y, n), counted_##a##b(x, y, n), chosen_##a##b(x, y, n),                  \
           packed_##a##b(x, y, n), far_##a##b(x, y, n), letters_##a##b(x, n), bits_##a##b(x, y, n));\
  }

SUMS(signed char, signed char, s, s)
SUMS(unsigned char, signed char, u, s)
SUMS(unsigned char, unsigned char, u, u)
SUMS(short, short, h, h)
SUMS(unsigned short, short, w, h)

int main(void) {
  static unsigned char x[2048], y[2048];
  for (int kind = 0; kind < 4; kind++) {
    unsigned state = 1;
    for (int i = 0; i < 2048; i++) {
      state = state * 1664525u + 1013904223u;
      x[i] = kind == 0 ? state >> 24 : kind == 1 ? 0x80 : kind == 2 ? 0xff : i & 1 ? 0x80 : 0;
      y[i] = kind == 0 ? state >> 16 : kind == 1 ? 0x80 : kind == 2 ? 0x7f : i & 1 ? 0x80 : 0;
    }
    for (int n = 0; n < 400; n += n < 70 ? 1 : 47) {
      all_ss(x, y + 1, n);
      all_us(x, y, n);
      all_uu(x, y + 3, n);
      all_hh(x, y + 2, n);
      all_wh(x + 2, y, n);
    }
  }
}
