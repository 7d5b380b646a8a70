// One memory as elements of two sizes, in loops of many kinds; prints what is in it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;
typedef unsigned short half;
typedef unsigned long long wide;

void mask(int n, unsigned *w) {
  byte *b = (byte *)w;
  for (int i = 0; i < n; i++) {
    w[i] += 0x01020304u * i;
    b[4 * i + 3] ^= b[4 * i];
  }
}
void shifted(int n, unsigned *w) {
  half *h = (half *)w;
  for (int i = 1; i < n; i++) {
    h[2 * i] = h[2 * i - 1] + 3;
    w[i - 1] = w[i] ^ 5;
  }
}
void columns(int n, float *x) {
  half *h = (half *)x;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      h[2 * (i * n + j)] = 0;
      x[i * n + j] *= 2;
    }
}
void doubles(int n, double *d) {
  unsigned *u = (unsigned *)d;
  for (int i = 0; i < n; i++) {
    u[2 * i] &= 0xffff0000u;
    d[i] = d[i] * 0.5 + i;
  }
}
wide total(int n, wide *w) {
  byte *b = (byte *)w;
  wide sum = 0;
  for (int i = n - 1; i >= 0; i--) {
    sum += w[i] * (i + 1);
    b[8 * i + 5] = (byte)sum;
  }
  return sum;
}
void three(int n, wide *w) {
  byte *b = (byte *)w;
  unsigned *u = (unsigned *)w;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      b[8 * (i * n + j) + 7] = 1;
      u[2 * (i * n + j)] += j;
      w[i * n + j] *= 3;
    }
}

static void show(const char *name, const void *p, size_t count) {
  unsigned long long hash = 1469598103934665603ull;
  for (size_t i = 0; i < count; i++) hash = (hash ^ ((const byte *)p)[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, hash);
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  size_t count = (size_t)n * n * 8 + 8;
  byte *p = malloc(count);
  for (size_t i = 0; i < count; i++) p[i] = (byte)(i * 7 + (i >> 3));
  mask(n, (unsigned *)p), show("mask", p, count);
  shifted(n, (unsigned *)p), show("shifted", p, count);
  printf("%llu\n", total(n, (wide *)p)), show("total", p, count);
  three(n, (wide *)p), show("three", p, count);
  float *f = (float *)p;
  for (int i = 0; i < n * n; i++) f[i] = i / 7.0f;
  columns(n, f), show("columns", p, count);
  double *d = (double *)p;
  for (int i = 0; i < n * n; i++) d[i] = i / 7.0;
  doubles(n * n, d), show("doubles", p, count);
}
