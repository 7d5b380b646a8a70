/* Rows that have no elements: nothing is stored, whatever is known of the place within a row. */

#include <stdio.h>

#define KERNEL(name, statement)                                                                    \
  void name(double *a, double *b, int n, int m) {                                                  \
    for (int i = 0; i < n; i++)                                                                    \
      for (int j = 0; j < m; j++) statement;                                                       \
  }

KERNEL(first, if (j == 0) a[i * m + j] = b[i] * 2)
KERNEL(first_and_others, if (j == 0) a[i * m + j] = b[i] * 2; else a[i * m + j] = 1)
KERNEL(every_other, a[i * m + 2 * j] = b[i] * 2)
KERNEL(backward, a[i * m - j + m] = b[i] - j)

int main(void) {
  for (int m = -1; m < 4; m++) {
    double a[64] = {0}, b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    first(a + 8, b, 5, m);
    first_and_others(a + 24, b, 4, m);
    every_other(a + 36, b, 4, m);
    backward(a + 52, b, 3, m);
    for (int i = 0; i < 64; i++) printf("%d %d %a\n", m, i, a[i]);
  }
}
