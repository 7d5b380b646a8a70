// Intervals by their lengths: rows from the last one, and in a row the last ends innermost, side by side. The bits
// are those of the source, around the lengths of vectors.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffp-contract=off --remarks -c -o %t.o %s 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -ffp-contract=off --run %s > %t.made
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: diff %t.made %t.source

#include <stdio.h>

#define N 101

// CHECK: intervals.c:20:{{.*}}: applied: loops l, i, k: order i, k, l, no dependence carried by l [poly-to-affine]
void chain(int n, long m[N][N], const int *restrict p)
{
    for (int l = 1; l < n; l++)
        for (int i = 0; i < n - l; i++) {
            m[i][i + l] = 1L << 60;
            for (int k = i; k < i + l; k++) {
                long q = m[i][k] + m[k + 1][i + l] + (long)p[i] * p[k + 1] * p[i + l + 1];
                if (q < m[i][i + l]) m[i][i + l] = q;
            }
        }
}

// CHECK: intervals.c:33:{{.*}}: applied: loops i, j, k: order i, k, j, no dependence carried by j [poly-to-affine]
void rows(int n, double e[N][N], const double *restrict w)
{
    for (int i = n - 2; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            e[i][j] = 1e30;
            for (int k = i; k < j; k++) {
                double t = e[i][k] + e[k + 1][j] + w[j];
                if (t < e[i][j]) e[i][j] = t;
            }
        }
}

// The best stands in a variable.
// CHECK: intervals.c:47:{{.*}}: applied: loops l, i, k: order i, k, l, no dependence carried by l [poly-to-affine]
void scalar(int n, double e[N][N], const double *restrict w)
{
    for (int l = 1; l < n; l++)
        for (int i = 0; i + l < n; i++) {
            double best = 1e30;
            for (int k = i; k < i + l; k++) {
                double t = e[i][k] + e[k + 1][i + l] + w[i] * w[k] * w[i + l];
                if (t < best) best = t;
            }
            e[i][i + l] = best;
        }
}

static long m[N][N];
static double e[N][N], w[N];
static int p[N + 1];

int main(void)
{
    for (int n = 0; n <= N; n++) {
        for (int i = 0; i < N; i++) {
            p[i] = 1 + i * 7 % 11, w[i] = 1 + i * 5 % 13 * 0.25;
            for (int j = 0; j < N; j++) m[i][j] = 0, e[i][j] = i == j ? w[i] : 0;
        }
        p[N] = 3;
        chain(n, m, p), rows(n, e, w), scalar(n / 2, e, w);
        double sum = 0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) sum += m[i][j] * (i + 2.0) + e[i][j] * (j + 1);
        printf("%d %.17g\n", n, sum);
    }
}
