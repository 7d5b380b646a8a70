/* Bytes of pixels and pairs, forward and backward, for all numbers of elements around the lengths of
   vectors. The pixels end, and begin, where a page does that may not be touched. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 70, PAGE = 4096 };
struct rgb { uint8_t r, g, b; };
struct rgba { uint8_t r, g, b, a; };

#define LOOP for (int i = 0; i < n; i++)
static void gray(int n, const struct rgb *restrict p, float *restrict o) {
  LOOP o[i] = 0.5f * p[i].r + 0.25f * p[i].g + 0.125f * p[i].b;
}
static void quotient(int n, const struct rgb *restrict p, float *restrict o) {
  LOOP o[i] = (299 * p[i].r + 587 * p[i].g + 114 * p[i].b + 500) / 1000;
}
static void weighted(int n, const struct rgba *restrict p, float *restrict o) {
  LOOP { int a = p[i].a; o[i] = (p[i].r * a + p[i].g * a * 2 + p[i].b * 3) / 255; }
}
static void norms(int n, const int8_t *restrict p, float *restrict o) {
  LOOP { float re = p[2 * i], im = p[2 * i + 1]; o[i] = re * re + im * im; }
}
static void second(int n, const uint8_t *restrict p, float *restrict o) { LOOP o[i] = p[2 * i] * 0.5f; }
static void last_of_three(int n, const uint8_t *restrict p, float *restrict o) { LOOP o[i] = p[3 * i + 2] + 1.5f; }
static void backward(int n, const uint8_t *restrict p, float *restrict o) {
  LOOP o[i] = p[3 * (n - 1 - i)] - 2.0f * p[3 * (n - 1 - i) + 2];
}
static void chosen(int n, const struct rgb *restrict p, float *restrict o) {
  LOOP { float v = p[i].r; if (v > 100.0f) v = v * p[i].g + p[i].b; o[i] = v; }
}

int main(void) {
  char *pages = mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages, PAGE, PROT_NONE);
  mprotect(pages + 2 * PAGE, PAGE, PROT_NONE);
  char *first = pages + PAGE, *end = pages + 2 * PAGE;
  unsigned state = 12345;
  for (int k = 0; k < PAGE; k++) first[k] = (state = state * 1664525u + 1013904223u) >> 24;
  static float out[MOST + 32];
  for (int n = 0; n < MOST; n++)
    for (int k = 0; k < 16; k++) {
      static const int size[] = {3, 3, 4, 2, 2, 3, 3, 3};
      int what = k / 2;
      const void *p = k % 2 ? first : end - size[what] * n;
      memset(out, 0, sizeof out);
      switch (what) {
      case 0: gray(n, p, out); break;
      case 1: quotient(n, p, out); break;
      case 2: weighted(n, p, out); break;
      case 3: norms(n, p, out); break;
      case 4: second(n, p, out); break;
      case 5: last_of_three(n, p, out); break;
      case 6: backward(n, p, out); break;
      case 7: chosen(n, p, out); break;
      }
      uint64_t hash = 1469598103934665603u;
      for (unsigned b = 0; b < sizeof out; b++) hash = (hash ^ ((unsigned char *)out)[b]) * 1099511628211u;
      printf("%d %d %016llx\n", n, k, (unsigned long long)hash);
    }
  return 0;
}
