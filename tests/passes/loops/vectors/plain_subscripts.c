/* Rows whose first element a quotient of the loops around says: prints sums for many sizes. */
#include <stdio.h>

#define MOST 70
static double u[MOST][MOST], f[MOST][MOST], half[MOST][MOST];
static float w[3 * MOST][MOST];

void red_black(int n, int m) {
  for (int c = 0; c < 2; c++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1 + (i + c) % 2; j < m - 1; j += 2)
        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
}
void red_alone(int n, int m) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 2 - i % 2; j < m - 1; j += 2) u[i][j] = f[i][j] * 0.5 - u[i][j];
}
void coarse_rows(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) u[i][j] = half[i / 2][j] + f[(i + 1) / 2][j] * 0.5;
}
void down_by_two(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) half[i / 2][j] += f[i][j] * 0.25;
}
void of_the_iterator(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) u[i][j] = half[i][j / 2] + f[i][(i + j) / 2];
}
void by_three(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j + i % 3 < m; j++) w[i][j + i % 3] = w[i / 3][j] + 1;
}

static void print(const char *name) {
  double sum = 0;
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++)
      sum = sum * 0.875 + u[i][j] + half[i][j] * 3 + w[i][j] + w[MOST + i][j];
  printf("%s %a\n", name, sum);
}

static void start(void) {
  unsigned seed = 3;
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++) {
      u[i][j] = (seed = seed * 69069 + 1) >> 22;
      f[i][j] = (seed = seed * 69069 + 1) >> 22;
      half[i][j] = (seed = seed * 69069 + 1) >> 22;
      for (int k = 0; k < 3; k++) w[k * MOST + i][j] = (seed = seed * 69069 + 1) >> 22;
    }
}

#define TRY(call) \
  start(), call, print(#call)

int main(void) {
  for (int m = 0; m <= MOST; m += m < 40 ? 1 : 7)
    for (int n = 0; n <= 9; n += 3) {
      TRY(red_black(n, m));
      TRY(red_alone(n, m));
      TRY(coarse_rows(n, m));
      TRY(down_by_two(n, m));
      TRY(of_the_iterator(n, m));
      TRY(by_three(n, m));
    }
}
