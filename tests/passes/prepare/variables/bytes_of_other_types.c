/* memcpy copies objects of any type: doubles whose bits were set as integers, in the same loops. */
#include <stdio.h>
#include <string.h>

static long bits[8];
static double result[4 * 8];

static void step(int n, void *raw, double *out, int m) {
  for (int i = 0; i < n; i++) { memcpy(&out[i * m], raw, m * sizeof(double)); out[i * m] += 1.0; }
}
__attribute__((noinline)) static void both(int n, long *p, void *raw, double *out) {
  for (int t = 0; t < 3; t++) {
    for (int k = 0; k < 8; k++) p[k] = p[k] + (1L << 52);
    step(n, raw, out, 8);
    for (int k = 0; k < 8; k++) p[k] = p[k] - 1;
  }
}
__attribute__((noinline)) static void cleared(int n, long *p, void *raw, double *out) {
  for (int t = 0; t < n; t++) {
    double *doubles = raw;
    p[0] = t + 1;
    memset(doubles, 0, 8 * sizeof *doubles);
    out[t] = p[0] + p[1];
    if (n > 100) doubles[0] = 1.0;
  }
}

int main(void) {
  for (int k = 0; k < 8; k++) { double d = k + 1; memcpy(&bits[k], &d, 8); }
  volatile int four = 4, five = 5;
  both(four, bits, bits, result);
  for (int k = 0; k < 32; k++) printf("%a\n", result[k]);
  cleared(five, bits, bits, result);
  for (int k = 0; k < 5; k++) printf("%a\n", result[k]);
  return 0;
}
