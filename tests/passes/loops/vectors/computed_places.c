/* Elements at places that are computed from narrow numbers: prints sums for many lengths. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 200
static uint8_t a[MOST + 8], b[MOST + 8];
static int8_t s[MOST + 8];
static int16_t w[MOST + 8];
static int32_t k[MOST + 8];
static int64_t far[MOST + 8];
static float weight[70000], out[MOST];
static double wide[600], result[MOST];

void apart(int n) { for (int i = 0; i < n; i++) out[i] = weight[abs(a[i] - b[i])] * 1.5f + a[i]; }
void products(int n) { for (int i = 0; i < n; i++) out[i] = weight[a[i] * b[i]] * weight[a[i] + b[i]] - 1; }
void with_sign(int n) { for (int i = 0; i < n; i++) out[i] = weight[s[i] + 128] * weight[300 - s[i]]; }
void clamped(int n) {
  for (int i = 0; i < n; i++) {
    int at = w[i] < 0 ? 0 : w[i] > 255 ? 255 : w[i];
    out[i] = weight[at] * weight[at + 1] + at;
  }
}
void window(int n) {
  for (int i = 2; i < n - 2; i++) {
    float sum = 0, all = 0;
    for (int d = -2; d <= 2; d++) {
      float x = weight[abs(a[i + d] - a[i])];
      sum += x * a[i + d];
      all += x;
    }
    out[i] = sum / (all + 1);
  }
}
void words(int n) { for (int i = 0; i < n; i++) out[i] = weight[k[i] + 7] * weight[k[i]] + weight[2 * k[i]]; }
void long_words(int n) { for (int i = 0; i < n; i++) out[i] = weight[far[i] - (1L << 40)] * 3 + weight[5]; }
void in_doubles(int n) { for (int i = 0; i < n; i++) result[i] = wide[a[i] + b[i]] * wide[abs(s[i])] + a[i]; }
void by_size(size_t n) { for (size_t i = 0; i < n; i++) out[i] = weight[(size_t)a[i] * 256 + b[i]] * 2 - b[i]; }
void smaller(int n) { for (int i = 0; i < n; i++) out[i] = weight[a[i] < b[i] ? a[i] : b[i]] * weight[a[i]]; }
void backwards(int n) { for (int i = 0; i < n; i++) out[i] = weight[69999 - k[i]] * 0.5f + weight[k[i]]; }
void with_counter(int n) { for (int i = 0; i < n; i++) out[i] = weight[k[i] - 3 * i + 600] + a[i]; }
void on_the_way(int n, long z) {
  for (int i = 0; i < n; i++) out[i] = weight[k[i] * z - k[i] * (z - 1)] + weight[k[i] + i * z - i * (z + 1) + 300];
}

static void print(void) {
  double sum = 0;
  for (int i = 0; i < MOST; i++) sum = sum * 0.75 + out[i] + result[i];
  printf("%a\n", sum);
}

int main(void) {
  unsigned seed = 1;
  for (int i = 0; i < 70000; i++) weight[i] = (seed = seed * 69069 + 1) >> 20;
  for (int i = 0; i < 600; i++) wide[i] = (seed = seed * 69069 + 1) >> 20;
  for (int i = 0; i < MOST + 8; i++) {
    a[i] = (seed = seed * 69069 + 1) >> 24;
    b[i] = (seed = seed * 69069 + 1) >> 24;
    s[i] = (int8_t)((seed = seed * 69069 + 1) >> 24);
    w[i] = (int16_t)((int)((seed = seed * 69069 + 1) >> 22) - 300);
    k[i] = (int32_t)((seed = seed * 69069 + 1) >> 18);
    far[i] = (1L << 40) + k[i];
  }
  a[3] = 0, b[3] = 255, a[4] = 255, b[4] = 0, s[5] = -128, s[6] = 127;
  for (int n = 0; n <= MOST; n += n < 40 ? 1 : 13) {
    apart(n), print(), products(n), print(), with_sign(n), print(), clamped(n), print();
    window(n), print(), words(n), print(), long_words(n), print(), in_doubles(n), print();
    by_size((size_t)n), print(), smaller(n), print(), backwards(n), print(), with_counter(n), print();
    on_the_way(n, 5000000000), print(), on_the_way(n, -1L << 40), print();
  }
  return 0;
}
