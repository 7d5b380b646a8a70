#include <stdio.h>
#include <stdlib.h>
static int ptr[3001], index_of[200000], odd[3000], steps[100][70];
static double value[200000], x[3000], y[3000], bests[3000];
static unsigned lengths[3000];
void rows(int n, const int *restrict p, const int *restrict at, const double *restrict v,
          const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = p[i]; j < p[i + 1]; j++) s += v[j] * x[at[j]];
    y[i] = s;
  }
}
void escape(int n, int m, int most, int *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double a = 0, b = 0;
      int k = 0;
      while (k < most && a * a + b * b < 4.0) {
        double t = a * a - b * b + 3.0 * j / m - 2;
        b = 2 * a * b + 3.0 * i / n - 1.5;
        a = t;
        k++;
      }
      out[i * m + j] = k;
    }
}
void collatz(size_t n, unsigned *restrict c, unsigned from) {
  for (size_t i = 0; i < n; i++) {
    unsigned v = from + i, k = 0;
    while (v != 1 && k < 1000) { v = v & 1 ? 3 * v + 1 : v / 2; k++; }
    c[i] = k;
  }
}
void count_odd(int n) {
  for (int i = n - 2; i > 0; i -= 3) {
    int c = 0;
    for (int e = ptr[i]; e < ptr[i + 1]; e++) if (index_of[e] & 1) c++;
    odd[i] = c;
  }
}
void buckets(int n) {
  double row[61];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 61; j++) row[j] = i;
    for (int e = ptr[i]; e < ptr[i + 1]; e++) row[index_of[e] % 61] += value[e] * (e - i);
    double best = row[0];
    for (int j = 1; j < 61; j++) best = row[j] > best ? row[j] : best * 0.5 + row[60 - j];
    bests[i] = best;
  }
}
int summed;
long sums(int n, unsigned *restrict c) {
  long total = 5;
  int low = 2147483600;
  unsigned bits = 1;
  for (int i = 1; i < n; i++) {
    unsigned v = i, k = 0;
    while (v != 1 && k < 1000) { v = v & 1 ? 3 * v + 1 : v / 2; k++; }
    total -= k;
    if (k > 40) bits ^= k * i;
    low -= k * 60000;
    c[i] = k;
  }
  summed = low;
  return total * 7 + bits;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3000;
  for (int i = 0; i < n; i++) {
    ptr[i + 1] = ptr[i] + i * 37 % 61 + (i % 500 == 0 ? 300 : 0);
    x[i] = i % 13 - 6.5;
  }
  for (int k = 0; k < ptr[n]; k++) {
    index_of[k] = (unsigned)k * 2654435761u % n;
    value[k] = 1.0 / (k + 1);
  }
  rows(n, ptr, index_of, value, x, y);
  escape(100, 70, 50, &steps[0][0]);
  collatz(n, lengths, 7);
  count_odd(n);
  buckets(n);
  long all = sums(n, lengths);
  printf("%ld %d\n", all, summed);
  for (int i = 0; i < n; i++) printf("%a %u %d %a\n", y[i], lengths[i], odd[i], bests[i]);
  for (int i = 0; i < 100; i++) for (int j = 0; j < 70; j++) printf("%d ", steps[i][j]);
}
