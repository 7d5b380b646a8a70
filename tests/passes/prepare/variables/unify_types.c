/* Doubles, floats and their bits, through unions and through pointers to one piece of memory. */
#include <stdio.h>
#include <stdlib.h>

union number { double value; unsigned long bits; };

static void magnitudes(int n, union number *restrict a, double *restrict b)
{
  for (int i = 0; i < n; i++) { a[i].bits &= 0x7ffffffffffffffful; b[i] = a[i].value * 0.5; }
}

static void exponents(int n, float *restrict a, int *restrict b)
{
  unsigned *bits = (unsigned *)a;
  for (int i = 0; i < n; i++) { b[i] = (int)(bits[i] >> 23 & 255) - 127; bits[i] ^= 1u << 31; }
  for (int i = 1; i < n; i++) a[i] += a[i - 1];
}

static void kept(int n, void *raw)
{
  double *values = raw;
  unsigned long *bits = raw;
  for (int i = 0; i < n; i++) bits[i] = bits[i] >> 1 | bits[i] << 63;
  for (int i = 0; i + 1 < n; i++) { double t = values[i]; values[i] = values[i + 1]; values[i + 1] = t; }
}

int main(void)
{
  enum { N = 37 };
  union number *a = malloc(N * sizeof *a);
  double b[N];
  float c[N];
  int d[N];
  for (int i = 0; i < N; i++) { a[i].value = (i - 18) * 1.25; c[i] = (i % 5 - 2) * 3.5f; }
  magnitudes(N, a, b);
  exponents(N, c, d);
  for (int i = 0; i < N; i++) printf("%g %g %d\n", b[i], c[i], d[i]);
  /* Patterns of which many are signalling NaNs stay what they are. */
  for (int i = 0; i < N; i++) a[i].bits = 0x7ff0000000000001ul * (unsigned long)(i + 1);
  kept(N, a);
  for (int i = 0; i < N; i++) printf("%lx\n", a[i].bits);
  free(a);
  return 0;
}
