/* Filters whose channels are short rows: sums that two loops around go on with, prints all results. */
#include <stdint.h>
#include <stdio.h>

#define H 9
#define W 11
#define C 16
#define F 5
static int8_t in[H][W][C], weights[F][3][3][C], small[H - 2][W - 2][F];
static uint8_t levels[H][W][C];
static int16_t samples[H][W][C];
static int bias[F], factor[F], sums[H - 2][W - 2][F];

static void quantized(void) {
  for (int y = 0; y < H - 2; y++)
    for (int x = 0; x < W - 2; x++)
      for (int f = 0; f < F; f++) {
        int s = bias[f];
        for (int j = 0; j < 3; j++)
          for (int i = 0; i < 3; i++)
            for (int c = 0; c < C; c++) s += in[y + j][x + i][c] * weights[f][j][i][c];
        int v = (s * (long)factor[f] + (1 << 11)) >> 12;
        small[y][x][f] = v < -128 ? -128 : v > 127 ? 127 : v;
      }
}

static void offset(void) {
  for (int y = 0; y < H - 2; y++)
    for (int x = 0; x < W - 2; x++)
      for (int f = 0; f < F; f++) {
        int s = bias[f];
        for (int j = 0; j < 3; j++)
          for (int i = 0; i < 3; i++)
            for (int c = 0; c < C; c++) s += (levels[y + j][x + i][c] - 7) * weights[f][j][i][c];
        sums[y][x][f] = s > 0 ? s : s / 8;
      }
}

static int in_between(int n) {
  int all = 0;
  for (int x = 0; x < W; x++) {
    int s = 1;
    for (int y = 0; y < n; y++) {
      for (int c = 0; c < C; c++) s += samples[y][x][c] * samples[y][W - 1 - x][c];
      if (s & 1) all ^= s;
    }
    all = all * 31 + s;
  }
  return all;
}

static int until(int n) {
  int all = 0;
  for (int x = 0; x < W; x++) {
    int s = x;
    for (int y = 0; y < n; y++)
      for (int c = 0; c < C; c++) s += samples[y][x][c] * in[y][x][c];
    all = all * 31 + (s >> 3 > 100 ? s : -s);
  }
  return all;
}

int main(void) {
  unsigned r = 1;
  for (int i = 0; i < H * W * C; i++) {
    r = r * 1664525u + 1013904223u;
    (&in[0][0][0])[i] = r >> 24, (&levels[0][0][0])[i] = r >> 16, (&samples[0][0][0])[i] = r >> 12;
  }
  for (int i = 0; i < F * 9 * C; i++) r = r * 1664525u + 1013904223u, (&weights[0][0][0][0])[i] = r >> 23;
  for (int i = 0; i < F; i++) bias[i] = 1000 * i - 1500, factor[i] = 3 + i;
  quantized();
  offset();
  for (int y = 0; y < H - 2; y++)
    for (int x = 0; x < W - 2; x++)
      for (int f = 0; f < F; f++) printf("%d %d\n", small[y][x][f], sums[y][x][f]);
  for (int n = 0; n < H; n++) printf("%d %d\n", in_between(n), until(n));
  return 0;
}
