/* Groups of bytes that are stored side by side, whole and in part, in place and elsewhere, for all
   numbers of pixels around the lengths of vectors. They end, and begin, where a page does that may
   not be touched. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 70, PAGE = 4096 };
#define LOOP for (int i = 0; i < n; i++)
typedef const uint8_t *from;
typedef uint8_t *to;

static uint8_t sat(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
static void premultiplied(int n, from s, to d) {
  for (int i = 0; i < n; i++, s += 4, d += 4) {
    unsigned a = s[3];
    for (int c = 0; c < 3; c++) d[c] = (s[c] * a + 127) / 255;
    d[3] = a;
  }
}
static void over(int n, from restrict s, to restrict d) {
  LOOP {
    unsigned a = 255 - s[4 * i + 3];
    d[4 * i] = s[4 * i] + (d[4 * i] * a + 128) / 256;
    d[4 * i + 1] = s[4 * i + 1] + (d[4 * i + 1] * a + 128) / 256;
    d[4 * i + 2] = s[4 * i + 2] + (d[4 * i + 2] * a + 128) / 256;
    d[4 * i + 3] = s[4 * i + 3] + (d[4 * i + 3] * a + 128) / 256;
  }
}
static void colours_only(int n, from restrict s, to restrict d) {
  LOOP for (int c = 0; c < 3; c++) d[4 * i + c] = (s[4 * i + c] + d[4 * i + c] + 1) >> 1;
}
static void exchanged(int n, from restrict s, to restrict d) {
  LOOP {
    d[4 * i] = s[4 * i + 2] * 200 >> 8;
    d[4 * i + 1] = s[4 * i + 1] * 200 >> 8;
    d[4 * i + 2] = s[4 * i] * 200 >> 8;
    d[4 * i + 3] = 255 - s[4 * i + 3];
  }
}
static void matrix(int n, from restrict s, to restrict d) {
  LOOP {
    int r = s[3 * i], g = s[3 * i + 1], b = s[3 * i + 2];
    d[3 * i] = sat((66 * r + 129 * g + 25 * b + 128) >> 8);
    d[3 * i + 1] = sat((112 * r - 94 * g - 18 * b + 32896) >> 8);
    d[3 * i + 2] = sat((-38 * r - 74 * g + 112 * b + 32896) >> 8);
  }
}
static void in_place(int n, from s, to d) {
  int8_t *p = (int8_t *)d;
  LOOP {
    int8_t x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2];
    p[3 * i] = y - z;
    p[3 * i + 1] = z - x;
    p[3 * i + 2] = x - y;
  }
}

int main(void) {
  char *pages = mmap(0, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages, PAGE, PROT_NONE);
  mprotect(pages + 2 * PAGE, PAGE, PROT_NONE);
  uint8_t *first = (uint8_t *)pages + PAGE, *end = first + PAGE;
  static void (*const what[])(int, from, to) = {premultiplied, over, colours_only, exchanged, matrix, in_place};
  static const int size[] = {4, 4, 4, 4, 3, 3};
  for (int n = 0; n < MOST; n++)
    for (int k = 0; k < 6; k++)
      for (int where = 0; where < 3; where++) {
        unsigned state = 12345 + n;
        for (int b = 0; b < PAGE; b++) first[b] = (state = state * 1664525u + 1013904223u) >> 24;
        uint8_t *low = first, *high = end - size[k] * n;
        if (where == 0) what[k](n, low, high);
        if (where == 1) what[k](n, high, low);
        if (where == 2 && k == 0) what[k](n, low + 16, low + 8);
        uint64_t hash = 1469598103934665603u;
        for (int b = 0; b < PAGE; b++) hash = (hash ^ first[b]) * 1099511628211u;
        printf("%d %d %d %016llx\n", n, k, where, (unsigned long long)hash);
      }
  return 0;
}
