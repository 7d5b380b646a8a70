/* Loops whose subscripts bend at their ends: prints the results for many sizes. */
#include <stdio.h>
#include <string.h>

#define MOST 40
static float a[MOST][MOST], b[MOST][MOST], c[MOST][MOST];
struct cell { float u, v; };
static struct cell in[MOST * MOST], out[MOST * MOST];

void ring(int n) { for (int i = 0; i < n; i++) b[0][i] = a[0][i == 0 ? n - 1 : i - 1] - 2 * a[0][i] + a[0][i == n - 1 ? 0 : i + 1]; }
void down(int n) { for (int i = n - 1; i >= 0; i--) b[0][i] = a[0][i == 0 ? n - 1 : i - 1] + a[0][i == n - 1 ? 0 : i + 1] * 3; }
void clamped(int n) { for (int i = 0; i < n; i++) b[0][i] = a[0][i < 2 ? 0 : i - 2] + a[0][i + 2 > n - 1 ? n - 1 : i + 2]; }
void torus(int h, int w) {
  for (int y = 0; y < h; y++) {
    int above = y == 0 ? h - 1 : y - 1, below = y == h - 1 ? 0 : y + 1;
    for (int x = 0; x < w; x++) {
      int left = x == 0 ? w - 1 : x - 1, right = x == w - 1 ? 0 : x + 1;
      b[y][x] = a[above][x] + a[below][x] + a[y][left] + a[y][right] - 4 * a[y][x];
    }
  }
}
void cells(int h, int w) {
  for (int y = 0; y < h; y++) {
    int above = y == 0 ? h - 1 : y - 1, below = y == h - 1 ? 0 : y + 1;
    for (int x = 0; x < w; x++) {
      int left = x == 0 ? w - 1 : x - 1, right = x == w - 1 ? 0 : x + 1;
      out[y * w + x].u = in[above * w + x].u + in[below * w + x].u * in[y * w + left].v - in[y * w + right].u;
      out[y * w + x].v = in[above * w + x].v - in[below * w + x].v + in[y * w + left].u * in[y * w + right].v;
    }
  }
}
void two(int n) {
  for (int i = 0; i < n; i++) {
    b[0][i] = a[0][i == 0 ? n - 1 : i - 1] * 2;
    c[0][i] = b[0][i] + a[0][i == n - 1 ? 0 : i + 1];
  }
}
void in_place(int n) { for (int i = 0; i < n; i++) a[1][i] = a[1][i == 0 ? n - 1 : i - 1] * 0.5f + a[1][i == n - 1 ? 0 : i + 1] * 0.25f; }
void sum(int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += a[2][i] * a[2][i == n - 1 ? 0 : i + 1];
  c[2][0] = s;
}
void steps(int n) {
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < n; i++) b[3][i] = a[3][i == 0 ? n - 1 : i - 1] + a[3][i] + a[3][i == n - 1 ? 0 : i + 1];
    for (int i = 0; i < n; i++) a[3][i] = b[3][i] * 0.25f;
  }
}
void triangle(int n) { for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) c[i][j] = a[i][j == 0 ? i : j - 1] + a[j == i ? 0 : j + 1][j]; }

static void print(const char *name) {
  double all = 0;
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++) all = all * 0.9375 + a[i][j] + 3 * b[i][j] + 5 * c[i][j];
  for (int i = 0; i < MOST * MOST; i++) all = all * 0.9375 + out[i].u + 7 * out[i].v;
  printf("%s %a\n", name, all);
}

static void fill(void) {
  unsigned seed = 1;
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++) a[i][j] = (float)((seed = seed * 69069 + 1) >> 24) / 16;
  for (int i = 0; i < MOST * MOST; i++) in[i].u = a[0][i % MOST] + 1, in[i].v = a[1][i % MOST] - 1;
  memset(b, 0, sizeof b), memset(c, 0, sizeof c), memset(out, 0, sizeof out);
}

int main(void) {
  for (int n = 0; n <= MOST; n += n < 20 ? 1 : 7) {
    fill(), ring(n), print("ring"), down(n), print("down"), clamped(n), print("clamped");
    two(n), print("two"), in_place(n), print("in_place"), sum(n), print("sum"), steps(n), print("steps");
    for (int m = 1; m <= n; m += 1 + n / 3) torus(m, n), print("torus"), cells(m, n), print("cells");
    triangle(n), print("triangle");
  }
  return 0;
}
