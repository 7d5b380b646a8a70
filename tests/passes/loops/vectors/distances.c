/* Recurrences at a distance that is known when the loop runs: prints a hash of the results for
   distances from far behind to far ahead. All numbers are small whole ones. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define HALF 200
#define MOST (2 * HALF)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static unsigned a[MOST], b[MOST];
static int best[MOST], other[MOST], gain[3];
static float f[MOST];
static double x[MOST], y[MOST], rows[4][MOST];
static unsigned char can[MOST];
static short s[MOST];

/* From `low` on, `n` iterations; the other element is `v` before, or behind where v is negative. */
void added(int low, int n, int v) { for (int i = low; i < low + n; i++) a[i] += a[i - v]; }
void downwards(int low, int n, int v) { for (int i = low + n - 1; i >= low; i--) a[i] += a[i - v]; }
void left(int low, int n, int v) { for (int i = low; i < low + n; i++) a[i + v] = a[i] * 3 + b[i]; }
void combed(int low, int n, int v) { for (int i = low; i < low + n; i++) f[i] = x[i] + 0.5f * f[i - v]; }
void doubled(int low, int n, int v) { for (int i = low; i < low + n; i++) x[i] = x[i] - x[i - v]; }
void reached(int low, int n, int v) { for (int i = low + n - 1; i >= low; i--) can[i] |= can[i - v]; }
void shorts(int low, int n, int v) { for (int i = low; i < low + n; i++) s[i] = s[i - v] + s[i]; }
void packed(int low, int n, int v) {
  for (int i = low + n - 1; i >= low; i--) best[i] = MAX(best[i], best[i - v] + gain[1]);
}
void changed(int low, int n, int v) {
  for (int i = low; i < low + n; i++) {
    a[i] += a[i - v];
    if (best[i - v] + 1 < best[i]) best[i] = best[i - v] + 1;
  }
}
void read_behind(int low, int n, int v) {
  for (int i = low; i < low + n; i++) {
    a[i] = b[i] * 5;
    b[i] = a[i - v] + 1;
  }
}
void written_twice(int low, int n, int v) {
  for (int i = low; i < low + n; i++) {
    y[i] = x[i] * 2;
    y[i + v] = x[i] - 1;
  }
}
void both_sides(int low, int n, int v) { for (int i = low; i < low + n; i++) a[i] = a[i - v] + 2 * a[i + v]; }
void near_too(int low, int n, int v) { for (int i = low; i < low + n; i++) a[i] = a[i - v] + a[i + 1]; }
void by_rows(int low, int n, int v) {
  for (int k = 0; k < 4; k++)
    for (int i = low; i < low + n; i++) rows[k][i] = rows[k][i - v] - x[i];
}
void row_below(int low, int n, int v) {
  for (int k = 1; k < 4; k++)
    for (int i = low; i < low + n; i++) rows[k][i] = rows[k - 1][i + v] + rows[k][i - v];
}
void far_by_row(int low, int n, int v) {
  for (int k = 1; k < 60; k++)
    for (int i = low; i < low + n; i++) a[i] += a[i + k] + v;
}

/* Not to be taken: the distance is another one in each iteration, or one that is near in all. */
void mirrored(int low, int n, int v) { for (int i = low; i < low + n; i++) a[i] += a[low + HALF + v - i]; }
void one_element(int low, int n, int v) { for (int i = low; i < low + n; i++) a[i] += a[low + v]; }
void at_three(int low, int n, int v) { for (int i = low; i < low + n; i++) a[i] += a[i - v] * a[i - 3]; }

static unsigned long mixed(unsigned long hash, const void *p, int n) {
  for (int i = 0; i < n; i++) hash = (hash ^ ((const unsigned char *)p)[i]) * 1099511628211UL;
  return hash;
}

static void fill(void) {
  for (int i = 0; i < MOST; i++) {
    a[i] = i * 37 + 11;
    b[i] = i;
    best[i] = (i * 53) % 97;
    f[i] = (i * 29) % 17 - 8;
    x[i] = (i * 31) % 19 - 9;
    y[i] = i;
    can[i] = i * 7 % 11 ? 0 : 1 << i % 7;
    s[i] = i * 3;
    for (int k = 0; k < 4; k++) rows[k][i] = (i * 13 + k) % 23;
  }
  gain[1] = 5;
}

typedef void (*Loop)(int low, int n, int v);
static const int apart[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 36, 50, 63, 64, 65, 70, 99};

static unsigned long tried(Loop loop) {
  unsigned long hash = 1469598103934665603UL;
  for (int d = 0; d < (int)(sizeof apart / sizeof *apart); d++)
    for (int sign = -1; sign <= 1; sign += 2)
      for (int n = 0; n < 101; n = n * 3 + 1) {
        fill();
        loop(HALF - 50 + d, n, sign * apart[d]);
        hash = mixed(hash, a, sizeof a);
        hash = mixed(hash, b, sizeof b);
        hash = mixed(hash, best, sizeof best);
        hash = mixed(hash, f, sizeof f);
        hash = mixed(hash, x, sizeof x);
        hash = mixed(hash, y, sizeof y);
        hash = mixed(hash, can, sizeof can);
        hash = mixed(hash, s, sizeof s);
        hash = mixed(hash, rows, sizeof rows);
      }
  return hash;
}

#define NAMED(name) {#name, name}
static const struct { const char *name; Loop loop; } loops[] = {
  NAMED(added), NAMED(downwards), NAMED(left), NAMED(combed), NAMED(doubled), NAMED(reached),
  NAMED(shorts), NAMED(packed), NAMED(changed), NAMED(read_behind), NAMED(written_twice),
  NAMED(both_sides), NAMED(near_too), NAMED(by_rows), NAMED(row_below), NAMED(far_by_row),
  NAMED(mirrored), NAMED(one_element), NAMED(at_three),
};

int main(void) {
  for (int k = 0; k < (int)(sizeof loops / sizeof *loops); k++)
    printf("%s %lx\n", loops[k].name, tried(loops[k].loop));
  return 0;
}
