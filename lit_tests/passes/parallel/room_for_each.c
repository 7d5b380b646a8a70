// Room to compute in that the program may look at afterwards: each thread has a copy, and the last iteration works in the room
// itself. Not where another iteration may be the last one to write, nor where one reads what was there before.
// RUN: polyopt-cc -O3 -ffp-contract=off -fparallel=3 -fparallel-threshold=0 --remarks --run %s 2> %t.told > %t.threads
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: diff %t.threads %t.source
// RUN: filecheck %s < %t.told

#include <stdio.h>
#define NB 37
#define N 24
// CHECK: room_for_each.c:16:{{.*}}: applied: loop s in threads: doall, each thread with its own cp and dp
// CHECK-NOT: with its own w
static double cp[N], dp[N], w[3][N], a[NB][N], b[NB][N], c[NB][N], d[NB][N], x[NB][N];
void thomas(int nb, int n)
{
  for (int s = 0; s < nb; s++) {
    cp[0] = c[s][0] / b[s][0]; dp[0] = d[s][0] / b[s][0];
    for (int i = 1; i < n; i++) { double m = 1.0 / (b[s][i] - a[s][i] * cp[i-1]); cp[i] = c[s][i] * m; dp[i] = (d[s][i] - a[s][i] * dp[i-1]) * m; }
    x[s][n-1] = dp[n-1];
    for (int i = n - 2; i >= 0; i--) x[s][i] = dp[i] - cp[i] * x[s][i+1];
  }
}
/* a row that only some iterations write: the last one that does is not the last one */
void some(int nb, int n)
{
    for (int s = 0; s < nb; s++) {
        for (int i = 0; i < n - s; i++) w[0][i] = a[s][i] * 2;
        for (int i = 0; i < n - s; i++) x[s][i] += w[0][i] * w[0][0];
    }
}
/* what is read was not written by the same iteration */
void old(int nb, int n)
{
    for (int s = 0; s < nb; s++) {
        for (int i = 1; i < n; i++) w[1][i] = w[1][i - 1] + a[s][i];
        w[1][0] = d[s][1];
        for (int i = 1; i < n; i++) x[s][i] += w[1][i];
    }
}
int main(void)
{
  for (int nb = 0; nb <= NB; nb += 3) for (int n = 1; n <= N; n += 5) {
  for (int s = 0; s < NB; s++) for (int i = 0; i < N; i++) { a[s][i] = (s * 7 + i) % 5 * 0.25; b[s][i] = 3 + (s + i) % 3; c[s][i] = (s + 3 * i) % 4 * 0.5; d[s][i] = (5 * s + i) % 7; x[s][i] = 0; }
  thomas(nb, n); some(nb, n); old(nb, n);
  double t = 0;
  for (int i = 0; i < N; i++) t += cp[i] * (i + 1) + dp[i] * (i + 2) + w[0][i] * (i + 3) + w[1][i] * (i + 5);
  for (int s = 0; s < NB; s++) for (int i = 0; i < N; i++) t += x[s][i] * (s + 2 * i);
  printf("%d %d %.17g\n", nb, n, t);
  }
}
