/* Bytes out of small tables: prints a hash of the results for many lengths. */
#include <stdint.h>
#include <stdio.h>

#define MOST 300
static uint8_t in[3 * MOST], out[4 * MOST];
static int8_t with_sign[3 * MOST];
static uint8_t t1[1] = {7}, t16[16], t17[17], t64[64], t65[65], t100[100], t128[128], t129[129];
static uint8_t t255[255], t256[256];
static const char digits[] = "0123456789abcdef";

void of_all(int n) { for (int i = 0; i < n; i++) out[i] = t256[in[i]]; }
void of_one(int n) { for (int i = 0; i < n; i++) out[i] = t1[in[i] >> 8]; }
void of_16(int n) { for (int i = 0; i < n; i++) out[i] = t16[in[i] & 15] + 1; }
void of_17(int n) { for (int i = 0; i < n; i++) out[i] = t17[in[i] >> 4] ^ in[i]; }
void of_64(int n) { for (int i = 0; i < n; i++) out[i] = t64[in[i] / 4]; }
void of_65(int n) { for (int i = 0; i < n; i++) out[i] = t65[(in[i] & 63) + 1]; }
void of_100(int n) { for (int i = 0; i < n; i++) out[n - 1 - i] = t100[in[i] % 100]; }
void of_128(int n) { for (int i = 0; i < n; i++) out[i] = t128[with_sign[i] & 127]; }
void of_129(int n) { for (int i = 0; i < n; i++) out[i] = t129[128 - (in[i] >> 1)]; }
void of_255(int n) { for (int i = 0; i < n; i++) out[i] = t255[in[i] * 254 / 255]; }
void by_sign(int n) { for (int i = 0; i < n; i++) out[i] = t256[with_sign[i] + 128]; }
void hex(int n) {
  for (int i = 0; i < n; i++) {
    out[2 * i] = digits[in[i] >> 4];
    out[2 * i + 1] = digits[in[i] & 15];
  }
}
void threes(int n) {
  for (int i = 0; i < n; i++) {
    out[3 * i + 2] = t256[in[3 * i]];
    out[3 * i] = t64[in[3 * i + 1] & 63];
    out[3 * i + 1] = in[3 * i + 2];
  }
}
void encode(const uint8_t *from, int n, uint8_t *to) {
  for (int i = 0, o = 0; i + 2 < n; i += 3, o += 4) {
    unsigned v = from[i] << 16 | from[i + 1] << 8 | from[i + 2];
    to[o] = t64[v >> 18];
    to[o + 1] = t64[(v >> 12) & 63];
    to[o + 2] = t64[(v >> 6) & 63];
    to[o + 3] = t64[v & 63];
  }
}
void where_large(int n) {
  for (int i = 0; i < n; i++)
    if (in[i] > 99) out[i] = t256[in[i]];
}
void table_of_its_own(int n) { for (int i = 0; i < n; i++) t256[i & 255] = t256[in[i]]; }
void two_steps(int n) { for (int i = 0; i < n; i++) out[i] = t256[t256[in[i]]]; }
void incomplete(int n) {
  for (int i = 0; i < n; i++) {
    out[3 * i] = t256[in[i]];
    out[3 * i + 1] = t16[in[i] & 15];
  }
}

static void set(uint8_t *table, int size, int by) {
  for (int k = 0; k < size; k++) table[k] = k * by + size;
}

int main(void) {
  static const int lengths[] = {0, 1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 130, 200, 299};
  for (int one = 0; one < sizeof lengths / sizeof *lengths; one++) {
    const int n = lengths[one];
    unsigned state = 99 + n;
    set(t16, 16, 3), set(t17, 17, 5), set(t64, 64, 7), set(t65, 65, 9), set(t100, 100, 11);
    set(t128, 128, 13), set(t129, 129, 15), set(t255, 255, 17), set(t256, 256, 19);
    for (int k = 0; k < 3 * MOST; k++)
      state = state * 1664525u + 1013904223u, in[k] = state >> 20, with_sign[k] = state >> 12;
    void (*all[])(int) = {of_all, of_one, of_16, of_17, of_64, of_65, of_100, of_128, of_129,
                          of_255, by_sign, hex, threes, where_large, two_steps, incomplete,
                          table_of_its_own};
    for (int k = 0; k <= sizeof all / sizeof *all; k++) {
      for (int p = 0; p < 4 * MOST; p++) out[p] = p;
      if (k < sizeof all / sizeof *all) all[k](n);
      else encode(in, n, out);
      unsigned long hash = 0;
      for (int p = 0; p < 4 * MOST; p++) hash = (hash ^ out[p]) * 1099511628211ul;
      for (int p = 0; p < 256; p++) hash = (hash ^ t256[p]) * 1099511628211ul;
      printf("%d %d %lx\n", n, k, hash);
    }
  }
  return 0;
}
