/* Running sums and other recurrences: prints a hash of the results for many lengths. All numbers
   are small whole ones, so that sums are the same in any order. */
#include <stdint.h>
#include <stdio.h>

#define MOST 90
static int a[MOST], b[MOST], c[MOST];
static long wide[MOST], out[MOST + 1][MOST + 1];
static double x[MOST], y[MOST], z[MOST], rows[4][MOST];
static float f[MOST], g[MOST];
static int cell[3];

void sums(int n) { int s = 3; for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; } }
void sums_before(int n) { int s = 3; for (int i = 0; i < n; i++) { b[i] = s; s += a[i]; } }
void differences(int n) { int s = 3; for (int i = 0; i < n; i++) { s -= a[i]; b[i] = s * 2; } }
void alternating(int n) { int s = 3; for (int i = 0; i < n; i++) { s = a[i] - s; b[i] = s; } }
void in_place(int n) { for (int i = 1; i < n; i++) a[i] += a[i - 1]; }
void from_the_third(int n) { for (int i = 2; i < n; i++) b[i + 1] = b[i] + a[i - 2]; }
void greatest(int n) { int m = a[0]; for (int i = 1; i < n; i++) { if (a[i] > m) m = a[i]; b[i] = m; } }
void least(int n) { int m = 50; for (int i = 0; i < n; i++) { m = a[i] < m ? a[i] : m; b[i] = m; } }
void bits(int n) { long s = 5; for (int i = 0; i < n; i++) { s ^= wide[i] * 77; wide[i] = s; } }
void all_bits(int n) { int s = -1; for (int i = 0; i < n; i++) { s &= ~(a[i] & 64); b[i] = s; } }
void hashed(int n) { unsigned s = 7; for (int i = 0; i < n; i++) s = s * 31u + a[i]; cell[0] = s; }
void twice(int n) {
  int s = 0, t = 0;
  for (int i = 0; i < n; i++) { c[i] = t; s += a[i]; t += s; b[i] = t; }
}
void summed_areas(int n) {
  for (int i = 1; i <= n && i <= 5; i++)
    for (int j = 1; j <= n; j++)
      out[i][j] = a[j - 1] + out[i - 1][j] + out[i][j - 1] - out[i - 1][j - 1];
}
void real_sums(int n) { double s = 1; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; } }
void real_rows(int n) {
  for (int k = 0; k < 4; k++)
    for (int i = 1; i < n; i++) rows[k][i] = rows[k][i - 1] + x[i] * (k + 1);
}
void with_factor(int n) { float s = 2; for (int i = 0; i < n; i++) { s = -1.0f * s + f[i]; g[i] = s; } }
void eliminated(int n) { for (int i = 1; i < n; i++) y[i] = z[i] * (x[i] - y[i - 1]); }
void divided(int n) { double s = 64; for (int i = 0; i < n; i++) { s = s / z[i] + x[i]; y[i] = s; } }

/* Not to be taken: what is carried goes around two variables, is squared, or is read from further
   back or from in front. */
void fibonacci(int n) { int s = 0, t = 1; for (int i = 0; i < n; i++) { int u = (s + t) & 1023; s = t; t = u; b[i] = t; } }
void squared(int n) { int s = 1; for (int i = 0; i < n; i++) { s = (s * s + a[i]) & 255; b[i] = s; } }
void two_back(int n) { for (int i = 2; i < n; i++) a[i] = (a[i - 1] + a[i - 2]) & 1023; }
void and_forth(int n) { for (int i = 1; i < n - 1; i++) a[i] = a[i - 1] - a[i + 1]; }
void shadowed(int n) { int s = 1; for (int i = 1; i < n; i++) { s += a[i - 1]; a[i] = s & 127; } }

void through_a_row(int n) { int s = 1; for (int i = 0; i < n; i++) { b[i] = a[i] + s * c[i]; s = b[i] - s; } cell[1] = s; }

void by_two_rows(int n) { for (int i = 1; i < n; i++) { a[i] = b[i - 1] + c[i] * 3; b[i] = a[i] - c[i - 1]; } }

void second_order(int n) { for (int i = 2; i < n; i++) y[i] = x[i] - y[i - 1] - y[i - 2] + z[i]; }
void filter(int n) {
  double x1 = 1, x2 = 2, y1 = 3, y2 = 4;
  for (int i = 0; i < n; i++) { double v = 2 * x[i] + 3 * x1 - x2 - y1 - y2; x2 = x1; x1 = x[i]; y2 = y1; y1 = v; y[i] = v; }
}

static unsigned long mixed(unsigned long hash, const void *p, int n) {
  for (int i = 0; i < n; i++) hash = (hash ^ ((const unsigned char *)p)[i]) * 1099511628211UL;
  return hash;
}

static void fill(void) {
  for (int i = 0; i < MOST; i++) {
    a[i] = (i * 37 + 11) % 101 - 40;
    b[i] = c[i] = i;
    wide[i] = i * 7919L;
    x[i] = (i * 29) % 17 - 8;
    y[i] = i % 3;
    z[i] = i % 5 == 2 ? -1 : 1;
    f[i] = (i * 13) % 19 - 9;
    g[i] = 0;
  }
  for (int i = 0; i <= MOST; i++)
    for (int j = 0; j <= MOST; j++) out[i][j] = i ? 0 : j;
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < MOST; i++) rows[k][i] = k;
  cell[0] = 0;
}

static const struct {
  const char *name;
  void (*run)(int);
} all[] = {
  {"sums", sums},
  {"sums_before", sums_before},
  {"differences", differences},
  {"alternating", alternating},
  {"in_place", in_place},
  {"from_the_third", from_the_third},
  {"greatest", greatest},
  {"least", least},
  {"bits", bits},
  {"all_bits", all_bits},
  {"hashed", hashed},
  {"twice", twice},
  {"summed_areas", summed_areas},
  {"real_sums", real_sums},
  {"real_rows", real_rows},
  {"with_factor", with_factor},
  {"eliminated", eliminated},
  {"divided", divided},
  {"fibonacci", fibonacci},
  {"squared", squared},
  {"two_back", two_back},
  {"and_forth", and_forth},
  {"shadowed", shadowed},
  {"through_a_row", through_a_row},
  {"by_two_rows", by_two_rows},
  {"second_order", second_order},
  {"filter", filter},
};

int main(void) {
  for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
    for (int n = 0; n < 70; n++) {
      fill();
      all[k].run(n);
      unsigned long hash = mixed(14695981039346656037UL, a, sizeof a);
      hash = mixed(mixed(mixed(hash, b, sizeof b), c, sizeof c), y, sizeof y);
      hash = mixed(mixed(mixed(hash, g, sizeof g), out, sizeof out), wide, sizeof wide);
      hash = mixed(mixed(hash, rows, sizeof rows), cell, sizeof cell);
      printf("%s %d %lx\n", all[k].name, n, hash);
    }
  return 0;
}
