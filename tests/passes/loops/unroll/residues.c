/* Iterators divided by small numbers: prints a hash of the results for all lengths up to 40. */
#include <stdint.h>
#include <stdio.h>

#define MOST 64
static uint8_t bytes[3 * MOST], bytes_out[4 * MOST];
static float in[3 * MOST], out[4 * MOST];
static int numbers[4 * MOST], counts[4 * MOST];

void twice(int n) {
  for (int x = 0; x < n; x++) bytes_out[x] = bytes[x / 2];
}
void thrice_from_one(int n) {
  for (int x = 1; x < n; x++) out[x] = in[x / 3] + in[(x + 1) / 3];
}
void bilinear(int n) {
  for (int x = 0; x < n; x++) {
    float f = (x % 2) * 0.5f;
    out[x] = (1 - f) * in[x / 2] + f * in[x / 2 + 1];
  }
}
void checkers(int n) {
  for (int x = 3; x < n; x++) numbers[x] = (x & 1) ? counts[x / 4] : -counts[x];
}
void from_anywhere(int m, int n) {
  for (int x = m; x < n; x++) bytes_out[x] = bytes[x / 4] + (x & 3);
}
void in_order(int n) {
  for (int x = 2; x < n; x++) numbers[x] = numbers[x - 2] + counts[x / 2] * (x % 4);
}
void sum(int n) {
  for (int x = 0; x < n; x++) counts[0] += numbers[x / 2] * (x % 2);
}
void behind_zero(int n) {
  for (int x = 0; x < n; x++) numbers[x] = (x - 7) % 2 + (x - 7) / 2;
}

int main(void) {
  for (int n = 0; n <= 40; n++) {
    for (int k = 0; k < 4 * MOST; k++) numbers[k] = k * 7 % 31, counts[k] = k * 5 % 17, out[k] = 0;
    for (int k = 0; k < 3 * MOST; k++) bytes[k] = k * 11, in[k] = k * 0.37f;
    twice(n), thrice_from_one(n), bilinear(n + 3), checkers(n), from_anywhere(n % 7, n);
    in_order(n), sum(n), behind_zero(n / 2);
    unsigned long hash = 0;
    for (int k = 0; k < 4 * MOST; k++)
      hash = hash * 1099511628211ul + bytes_out[k] + 3ul * (unsigned)numbers[k] +
             5ul * (unsigned)counts[k] + 7ul * (unsigned)(int)(out[k] * 1024);
    printf("%d %lx\n", n, hash);
  }
  return 0;
}
