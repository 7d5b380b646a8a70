/* Values that conditionals give, of what is there only where the conditions hold: the rest of each
   array lies behind the end of a page that may not be touched. For all numbers of elements around
   the lengths of vectors. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 70, PAGE = 4096 };
#define LOOP for (int i = 0; i < n; i++)
static uint8_t truth[MOST][MOST];

static void words(int n, const int *restrict a, const int *restrict b, const int *restrict c, int *restrict o) {
  LOOP o[i] = a[i] > 0 ? b[i] : c[i];
}
static void both(int n, const int *restrict a, const int *restrict b, const int *restrict c, int *restrict o) {
  LOOP o[i] = a[i] > 0 && b[i] < 40 || a[i] < -60 && c[i] > 3;
}
static void bytes(int n, const int8_t *restrict a, const int8_t *restrict b, const int8_t *restrict c, int8_t *restrict o) {
  LOOP o[i] = a[i] > 0 ? b[i] : -a[i];
}
static void some_bytes(int n, const int8_t *restrict a, const int8_t *restrict b, const int8_t *restrict c, int8_t *restrict o) {
  LOOP if (a[i] > 0 && b[i] > 5) o[i] = b[i] - 3;
}
static void shorts(int n, const int16_t *restrict a, const int16_t *restrict b, const int16_t *restrict c, int16_t *restrict o) {
  LOOP o[i] = a[i] > 0 ? b[i] > 9 ? b[i] : 9 : c[i];
}
static void floats(int n, const float *restrict a, const float *restrict b, const float *restrict c, float *restrict o) {
  LOOP o[i] = a[i] > 0 ? b[i] * a[i] : c[i] / a[i];
}
static void nested(int n, const float *restrict a, const float *restrict b, const float *restrict c, float *restrict o) {
  LOOP o[i] = a[i] > 0 ? a[i] > 0.5f ? b[i] : 2 * b[i] : -1;
}
static void one_place(int n, const float *restrict a, const float *restrict b, const float *restrict c, float *restrict o) {
  LOOP o[i] = a[i] > 0 ? b[0] + a[i] : a[i];
}
static void added(int n, const int *restrict a, const int *restrict b, const int *restrict c, int *restrict o) {
  int s = 0;
  LOOP { int x = 0; if (a[i] > 0) x = a[i] < 9 ? b[i] : a[i]; s += x; o[i] = x; }
  o[0] = s;
}
static void longs(int n, const long *restrict a, const long *restrict b, const long *restrict c, long *restrict o) {
  LOOP o[i] = a[i] > 0 ? b[i] & a[i] : c[i] + 1;
}
static void backward(int n, const int *restrict a, const int *restrict b, const int *restrict c, int *restrict o) {
  LOOP o[i] = a[n - 1 - i] > 0 ? b[i] : 7;
}
static void piecewise(int n, const float *restrict a, const float *restrict b, const float *restrict c, float *restrict o) {
  LOOP { float x = a[i]; if (x > 50) x = b[i] * 2; else if (x < -50 && c[i] > 9) x = c[i] - 1; o[i] = x; }
}
static void in_all_arms(int n, const int *restrict a, const int *restrict b, const int *restrict c, int *restrict o) {
  LOOP {
    int h, k = 0;
    if (a[i] == 0) h = 0; else if (a[i] > 0) { h = b[i] / a[i]; k = h; } else if (c[i] > 20) h = c[i] % a[i]; else { h = k - 1; k = a[i]; }
    o[i] = h * 3 + k;
  }
}
static void closure(int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) truth[i][j] = truth[i][j] || (truth[i][k] && truth[k][j]);
}

static char *page(void) {
  char *pages = mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages, PAGE, PROT_NONE);
  mprotect(pages + 2 * PAGE, PAGE, PROT_NONE);
  return pages + PAGE;
}

#define FILL(T) \
  for (int i = 0; i < n; i++) { \
    int v = (state = state * 1664525u + 1013904223u) >> 25; \
    ((T *)a)[i] = (T)(i < have ? v + 1 : -v); \
    if (mixed && v % 3 == 0) ((T *)a)[i] = (T)-v; \
    if (i < have) ((T *)(b + PAGE - have * sizeof(T)))[i] = (T)(v * 2 / 3); \
    ((T *)c)[i] = (T)(v / 2); \
    ((T *)o)[i] = 77; \
  }
#define RUN(T, NAME) \
  case __COUNTER__: \
    FILL(T) \
    NAME(n, (void *)a, (void *)(b + PAGE - have * sizeof(T)), (void *)c, (void *)o); \
    break;

int main(void) {
  static _Alignas(64) char a[PAGE], c[PAGE], o[PAGE];
  char *b = page();
  unsigned state = 12345;
  for (int n = 0; n < MOST; n++)
    for (int what = 0; what < 13; what++)
      for (int mixed = 0; mixed < 2; mixed++) {
        int have = what == 10 ? n : n - n / 3;
        memset(o, 0, PAGE);
        switch (what) {
          RUN(int, words) RUN(int, both) RUN(int8_t, bytes) RUN(int8_t, some_bytes) RUN(int16_t, shorts)
          RUN(float, floats) RUN(float, nested) RUN(float, one_place) RUN(int, added) RUN(long, longs)
          RUN(int, backward) RUN(float, piecewise) RUN(int, in_all_arms)
        }
        uint64_t hash = 1469598103934665603u;
        for (int k = 0; k < PAGE; k++) hash = (hash ^ (uint8_t)o[k]) * 1099511628211u;
        printf("%d %d %d %016llx\n", n, what, mixed, (unsigned long long)hash);
      }
  for (int n = 0; n < MOST; n++) {
    for (int i = 0; i < MOST; i++)
      for (int j = 0; j < MOST; j++) truth[i][j] = ((state = state * 1664525u + 1013904223u) >> 20) % 50 == 0;
    closure(n);
    int count = 0;
    for (int i = 0; i < MOST; i++) for (int j = 0; j < MOST; j++) count = count * 3 + truth[i][j];
    printf("%d %d\n", n, count);
  }
  return 0;
}
