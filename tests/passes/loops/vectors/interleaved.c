/* Structures and pairs in arrays, changed in place, in part, read behind their stores: for all
   numbers of elements around the lengths of vectors, with a hash of all bytes after each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 70 };
struct body { float x, y, z, vx, vy, vz; };
struct point { double x, y, vx, vy; };
struct cell { int32_t a, b, c; };
struct wide { float m[8]; };

#define LOOP for (int i = 0; i < n; i++)
static void turn(int n, double *z, double c, double s) {
  LOOP { double re = z[2 * i], im = z[2 * i + 1]; z[2 * i] = c * re - s * im; z[2 * i + 1] = c * im + s * re; }
}
static void kick(int n, struct body *p, float dt) {
  LOOP { p[i].vy -= 9.8f * dt; p[i].x += dt * p[i].vx; p[i].y += dt * p[i].vy; p[i].z += dt * p[i].vz; }
}
static void drift(int n, struct point *p, double dt) { LOOP { p[i].x += dt * p[i].vx; p[i].y += dt * p[i].vy; } }
static void swap(int n, struct point *p) {
  LOOP { double t = p[i].x; p[i].x = p[i].vy; p[i].vy = t; t = p[i].y; p[i].y = p[i].vx; p[i].vx = t; }
}
static void last_wins(int n, struct cell *p) { LOOP { p[i].a = p[i].b + 1; p[i].b = p[i].a * 3; p[i].c = p[i].b - p[i].a; } }
static void two_of_three(int n, struct cell *p) { LOOP { p[i].a ^= p[i].c; p[i].c += p[i].b; } }
static void overlapping(int n, double *z) { LOOP { z[2 * i] += z[2 * i + 2]; z[2 * i + 1] += 1; } }
static void from_the_next(int n, float *z) { LOOP { z[2 * i + 2] = z[2 * i] * .5f; z[2 * i + 3] = z[2 * i + 1]; } }
static void where(int n, float *z) { LOOP { float v = z[2 * i]; if (v > .5f) v -= z[2 * i + 1]; z[2 * i] = v * 3; z[2 * i + 1] = v; } }
static void all_of_eight(int n, struct wide *p) {
  LOOP { float s = p[i].m[0] + p[i].m[7]; for (int k = 0; k < 8; k++) p[i].m[k] = p[i].m[k] * .25f + s; }
}
static void two_arrays(int n, float *restrict z, float *restrict w) {
  LOOP { z[3 * i] += w[2 * i]; z[3 * i + 1] -= w[2 * i + 1]; z[3 * i + 2] *= w[2 * i]; w[2 * i] = z[3 * i + 1]; w[2 * i + 1] *= 2; }
}
static void rows(int n, double a[][2 * MOST + 2], int r) {
  LOOP { a[r][2 * i] += a[r + 1][i]; a[r][2 * i + 1] += .5 * (a[r + 1][i] + a[r + 1][i + 1]); a[r + 2][2 * i] -= a[r][2 * i + 1]; a[r + 2][2 * i + 1] = a[r][2 * i]; }
}
static void around(int n, const double *restrict z, double *restrict w) {
  LOOP { double v = z[2 * i] + .5 * z[2 * i + 1] + .25 * z[2 * i + 2]; w[i] = v > 1 ? v * v : v; }
}
static void around_backward(int n, const float *restrict z, float *restrict w) {
  LOOP { int k = 3 * (n - i); w[i] = z[k - 3] - z[k] * z[k - 1] + z[k + 2]; if (w[i] > .5f) w[i] += z[k - 2]; }
}

static void half_sweep(int n, double *z) { LOOP z[2 * i + 2] = .5 * (z[2 * i + 1] + z[2 * i + 3]) + z[2 * i + 2] * z[2 * i + 2]; }
static void third_sweep(int n, float *z) { LOOP z[3 * i + 4] = z[3 * i + 2] * .5f + z[3 * i + 3] * z[3 * i + 5]; }
static void wide_sweep(int n, double *z) {
  LOOP { double q = z[2 * i + 1] / (z[2 * i + 3] + 2); z[2 * i + 4] = q / (q + z[2 * i + 7] / (z[2 * i + 1] + 1)); }
}

static double memory[8][8 * MOST + 64];

int main(void) {
  for (int n = 0; n < MOST; n = n < 40 ? n + 1 : n + 7) {
    for (int k = 0; k < 17; k++) {
      unsigned state = 12345 + 977 * n + k;
      char *bytes = (char *)memory;
      double *numbers = (double *)memory;
      for (unsigned p = 0; p < sizeof memory / 8; p++) {
        state = state * 1664525u + 1013904223u;
        numbers[p] = (state >> 8) * 0x1p-24;
      }
      float *floats = (float *)memory;
      if (k == 1 || k == 7 || k == 8 || k == 9 || k == 10 || k == 13 || k == 15)
        for (unsigned p = 0; p < sizeof memory / 4; p++) {
          state = state * 1664525u + 1013904223u;
          floats[p] = (state >> 8) * 0x1p-24f;
        }
      switch (k) {
      case 0: turn(n, numbers, .6, .8); break;
      case 1: kick(n, (struct body *)memory, .01f); break;
      case 2: drift(n, (struct point *)memory, .01); break;
      case 3: swap(n, (struct point *)memory); break;
      case 4: last_wins(n, (struct cell *)memory); break;
      case 5: two_of_three(n, (struct cell *)memory); break;
      case 6: overlapping(n, numbers); break;
      case 7: from_the_next(n, floats); break;
      case 8: where(n, floats); break;
      case 9: all_of_eight(n, (struct wide *)memory); break;
      case 10: two_arrays(n, floats, (float *)memory[4]); break;
      case 11: rows(n, (double (*)[2 * MOST + 2])memory, 1); break;
      case 12: around(n, numbers, memory[4]); break;
      case 13: around_backward(n, floats, (float *)memory[4]); break;
      case 14: half_sweep(n, numbers); break;
      case 15: third_sweep(n, floats); break;
      case 16: wide_sweep(n, numbers); break;
      }
      uint64_t hash = 0;
      for (unsigned p = 0; p < sizeof memory; p++) hash = (hash ^ (unsigned char)bytes[p]) * 1099511628211u;
      printf("%d %d %llx\n", n, k, (unsigned long long)hash);
    }
  }
  return 0;
}
