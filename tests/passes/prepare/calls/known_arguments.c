/* Static functions that get the same number from all calls, and others that seem to. */
#include <stdio.h>

static int a[64], b[64];

static void scaled(int n, int factor) {
  for (int i = 0; i < n; i++) a[i] = a[i] * factor + i;
}
static void changed_in_it(int n) {
  n = n / 2 + a[3] % 5;
  for (int i = 0; i < n; i++) b[i] += n;
}
static int deep(int n, int down) { return down ? deep(n, down - 1) + n : n; }
static int swapped(int n, int m, int down) { return down ? swapped(m, n, down - 1) : n - m; }
static int by_address(int n) { return n * 3; }
static int in_table(int n) { return n * 5; }
static int (*const table[])(int) = {in_table};
static int narrow(signed char n) { return n + 1; }
static int wide(long n) { return (int)(n >> 33); }
static void both_of(int n) { scaled(n, 3), changed_in_it(n); }
__attribute__((noinline)) static int apart(int n) { return n ? a[n] : -1; }
static int unlike(int n) { return n * 7; }

/* Others can reach these, too: the calls here are of a copy. */
void padded(int n, int stride, int pad, const int *in, int *out) {
  for (int o = 0; o < n; o++) {
    out[o] = 0;
    for (int k = 0; k < 3; k++) {
      int i = o * stride + k - pad;
      if (i < 0 || i >= 64) continue;
      out[o] += in[i] * (k + 1);
    }
  }
}
int far(int n, int stride) {
  int sum = 0;
  for (int i = 0; i * stride < n; i++) sum += a[i * stride];
  return sum;
}

int main(void) {
  for (int i = 0; i < 64; i++) a[i] = i * 37 % 11, b[i] = i;
  for (int r = 0; r < 3; r++) both_of(40);
  int (*address)(int) = by_address;
  long sum = deep(7, 5) + swapped(2, 9, 3) + by_address(4) + address(6) + in_table(8) + table[0](9);
  sum += narrow(-3) + wide(1L << 40) + apart(5) + apart(5) + unlike(1) + unlike(2);
  padded(31, 2, 1, a, b), padded(20, 2, 1, b, a);
  int (*reached)(int, int) = far;
  sum += far(60, 3) + far(21, 3) + reached(50, 4);
  for (int i = 0; i < 64; i++) sum = sum * 31 + a[i] * 7 + b[i];
  printf("%ld\n", sum);
  return 0;
}
