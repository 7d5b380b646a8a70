/* Loops by steps that a loop around changes, beside stores to others, to themselves, and none. */
#include <stdio.h>

enum { N = 256 };
static double re[N], im[N], wr[N], wi[N];

static void turn(int n) {
  for (int len = 2; len <= n; len <<= 1) {
    int half = len / 2, st = n / len;
    for (int i = 0; i < n; i += len)
      for (int j = 0; j < half; j++) {
        double a = re[i + j + half] * wr[j * st] - im[i + j + half] * wi[j * st];
        double b = re[i + j + half] * wi[j * st] + im[i + j + half] * wr[j * st];
        double ur = re[i + j], ui = im[i + j];
        re[i + j] = ur + a; im[i + j] = ui + b;
        re[i + j + half] = ur - a; im[i + j + half] = ui - b;
      }
  }
}
static void counted_on(int n) {
  for (int len = 2; len <= n; len <<= 1)
    for (int i = 0; i < n; i += len) {
      int k = 0;
      for (int j = 0; j < len / 2; j++) { re[i + j] += wr[k] - 0.5 * wi[n - 1 - k]; k += n / len; }
    }
}
static void on_itself(int n) {
  for (int st = n / 2; st > 0; st /= 2)
    for (int j = 1; j < n / st; j++) re[j] = re[j] * 0.5 + re[j * st] * 0.25;
}
static double summed(int n) {
  double s = 0;
  for (int st = -3; st <= 3; st++)
    for (int j = 0; j < n / 4; j++) s = s * 0.75 + wr[n - 64 * 3 / 4 + j * st > 0 && n > 200 ? 100 + j * st / 3 : j];
  return s;
}

int main(void) {
  for (int n = 1; n <= N; n *= 2) {
    for (int i = 0; i < N; i++) {
      re[i] = (i * 37 % 101) / 64.0; im[i] = (i * 53 % 89) / 32.0;
      wr[i] = (i * 29 % 97) / 128.0; wi[i] = (i * 31 % 83) / 128.0 - 0.25;
    }
    turn(n); counted_on(n); on_itself(n);
    double all = summed(n);
    for (int i = 0; i < N; i++) all = all * 0.875 + re[i] - im[i];
    printf("%d %a\n", n, all);
  }
  return 0;
}
