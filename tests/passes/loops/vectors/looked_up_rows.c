/* Rows that a loop around looks up: prints sums for many lengths. */
#include <stdint.h>
#include <stdio.h>

#define ROWS 40
#define MOST 70
static int which[ROWS], other[ROWS];
static float B[ROWS][MOST], C[ROWS][MOST], flat[ROWS * MOST];
static double D[ROWS][MOST], E[ROWS][MOST], sums[ROWS];
static uint8_t bytes[ROWS][MOST], levels[ROWS][MOST];

void scaled(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) C[i][k] = B[which[i]][k] * 3 + C[i][k];
}
void of_two(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 1; k < m; k++) C[i][k] = B[which[i]][k] - B[which[i]][k - 1] * B[other[i]][k];
}
void computed(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) C[i][k] = flat[(which[i] & 31) * m + k + 2] * 0.5f + i;
}
void of_row(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) C[i][k] = B[which[other[i]]][k] * 1.5f - k;
}
void turned(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) D[i][k] = E[which[i]][m - 1 - k] * 2 + D[i][k];
}
void around(int n, int m) {
  for (int w = 0; w < 3; w++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < m; k++)
        C[i][k] += B[i - w < 0 ? i - w + n : i - w][k] * B[which[i]][0];
}
void in_place(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) D[i][k] = D[which[i]][k] * 0.5 + E[i][k];
}
void beside_itself(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 1; k < m; k++) D[i][k] = D[which[i]][k - 1] * 0.5 + E[i][k];
}
void index_is_changed(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      D[i][k] = E[which[i]][k] + k;
      which[k % ROWS] = (which[k % ROWS] + 1) % ROWS;
    }
}
void added_up(int n, int m) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < m; k++) s += E[i][k] * D[which[i]][k];
    sums[i] = s;
  }
}
void under_a_condition(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      if (E[i][k] > 9) D[i][k] = E[which[i]][k] * 0.25 + 1;
}
void of_bytes(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) levels[i][k] = (bytes[which[i]][k] + levels[i][k] + 1) >> 1;
}
void fixed_row(int n, int m, int at) {
  for (int k = 0; k < m; k++) C[n % ROWS][k] = B[which[at]][k] + B[other[at]][k] * 2;
}

static void print(const char *name) {
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < MOST; k++)
      sum = sum * 0.875 + C[i][k] + D[i][k] * 3 + levels[i][k] + which[i] + sums[i];
  printf("%s %a\n", name, sum);
}

#define TRY(call) \
  start(), call, print(#call)

static unsigned seed;
static int next(int most) { return (seed = seed * 69069 + 1) / 7 % most; }
static void start(void) {
  seed = 7;
  for (int i = 0; i < ROWS; i++) {
    which[i] = next(ROWS), other[i] = next(ROWS), sums[i] = 0;
    for (int k = 0; k < MOST; k++) {
      B[i][k] = next(9), C[i][k] = next(7), D[i][k] = next(17), E[i][k] = next(19);
      bytes[i][k] = next(256), levels[i][k] = next(256), flat[i * MOST + k] = next(5);
    }
  }
}

int main(void) {
  for (int m = 0; m <= MOST; m += m < 20 ? 1 : 7)
    for (int n = 0; n <= ROWS; n += 13) {
      TRY(scaled(n, m));
      TRY(of_two(n, m));
      TRY(computed(n, m));
      TRY(of_row(n, m));
      TRY(turned(n, m));
      TRY(around(n, m));
      TRY(in_place(n, m));
      TRY(beside_itself(n, m));
      TRY(index_is_changed(n, m));
      TRY(added_up(n, m));
      TRY(under_a_condition(n, m));
      TRY(of_bytes(n, m));
      TRY(fixed_row(n, m, n % 3));
    }
}
