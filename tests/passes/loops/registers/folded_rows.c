/* Rows shorter than a vector, in arrays that end where memory does: all numbers of rows, with a hash
   of the results after each. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 23, PAGE = 1 << 14 };

#define BATCH(name, type)                                                                        \
  static void name(int n, type (*restrict a)[4][4], type (*restrict b)[4][4], type (*restrict c)[4][4]) { \
    for (int q = 0; q < n; q++)                                                                  \
      for (int i = 0; i < 4; i++)                                                                \
        for (int j = 0; j < 4; j++) {                                                            \
          type s = 0;                                                                            \
          for (int k = 0; k < 4; k++) s += a[q][i][k] * b[q][k][j];                              \
          c[q][i][j] = s;                                                                        \
        }                                                                                        \
  }
BATCH(batch_d, double)
BATCH(batch_f, float)
BATCH(batch_u, uint32_t)

static void turned(int n, double (*restrict a)[4], double (*restrict m)[4], double (*restrict c)[4]) {
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 4; r++) {
      double s = 0;
      for (int k = 0; k < 4; k++) s += m[k][r] * a[i][k];
      c[i][r] = s;
    }
}
static void added(int n, float (*restrict a)[4], float (*restrict m)[4], float (*restrict c)[4]) {
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 4; r++) {
      float s = c[i][r];
      for (int k = 0; k < 4; k++) s += m[k][r] * a[i][k];
      c[i][r] = s > 1 ? s - m[0][r] : s + a[i][r];
    }
}
static void pairs(int n, double (*restrict a)[2], double (*restrict m)[2], double (*restrict c)[2]) {
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 2; r++) c[i][r] += a[i][0] * m[0][r] + a[i][1] * m[1][r];
}
static void in_front(int n, float (*restrict a)[4], float (*restrict m)[4], float (*restrict c)[4]) {
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 4; r++) c[i][r] = a[i][0] * m[0][r] + a[i][1] * m[1][r] + a[i][2] * m[2][r];
}
static void three(int n, double (*restrict a)[3], double (*restrict m)[4], double (*restrict c)[4]) {
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 4; r++) c[i][r] = a[i][0] * m[0][r] + a[i][1] * m[1][r] + a[i][2] * m[2][r];
}
static void numbered(int n, int32_t (*restrict a)[4], int32_t (*restrict m)[4], int32_t (*restrict c)[4]) {
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 4; r++)
      c[i][r] = a[i][0] * m[0][r] + a[i][1] * m[1][r] + a[i][2] * m[2][r] + a[i][3] * m[3][r] + 7 * i + r;
}

static char *ends_here(size_t bytes) {
  static char *places[3];
  static int next;
  int k = next++ % 3;
  if (!places[k]) {
    places[k] = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(places[k] + PAGE, PAGE, PROT_NONE);
  }
  return places[k] + PAGE - bytes;
}

static unsigned state = 7;
static void fill(char *p, size_t bytes, int kind) {
  for (size_t at = 0; at < bytes; at += kind ? 4 : 8) {
    state = state * 1664525u + 1013904223u;
    double number = (state >> 8) * 0x1p-24;
    float single = (float)number;
    int32_t whole = (int32_t)state;
    if (kind == 0) memcpy(p + at, &number, 8);
    else memcpy(p + at, kind == 1 ? (void *)&single : (void *)&whole, 4);
  }
}

int main(void) {
  static const int row[] = {128, 64, 64, 32, 16, 16, 16, 32, 16}, rows[] = {128, 64, 64, 32, 16, 16, 16, 24, 16};
  static const int kinds[] = {0, 1, 2, 0, 1, 0, 1, 0, 2};
  for (int k = 0; k < 9; k++)
    for (int n = 0; n < MOST; n++) {
      size_t bytes = (size_t)n * row[k], first = (size_t)n * rows[k], second = k < 3 ? bytes : 128;
      char *a = ends_here(first), *b = ends_here(second), *c = ends_here(bytes);
      fill(a, first, kinds[k]), fill(b, second, kinds[k]), fill(c, bytes, kinds[k]);
      switch (k) {
      case 0: batch_d(n, (void *)a, (void *)b, (void *)c); break;
      case 1: batch_f(n, (void *)a, (void *)b, (void *)c); break;
      case 2: batch_u(n, (void *)a, (void *)b, (void *)c); break;
      case 3: turned(n, (void *)a, (void *)b, (void *)c); break;
      case 4: added(n, (void *)a, (void *)b, (void *)c); break;
      case 5: pairs(n, (void *)a, (void *)b, (void *)c); break;
      case 6: in_front(n, (void *)a, (void *)b, (void *)c); break;
      case 7: three(n, (void *)a, (void *)b, (void *)c); break;
      case 8: numbered(n, (void *)a, (void *)b, (void *)c); break;
      }
      uint64_t hash = 0;
      for (size_t p = 0; p < bytes; p++) hash = (hash ^ (unsigned char)c[p]) * 1099511628211u;
      printf("%d %d %llx\n", k, n, (unsigned long long)hash);
    }
  return 0;
}
