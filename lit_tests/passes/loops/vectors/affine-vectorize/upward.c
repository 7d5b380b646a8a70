// Loops that go down, of all lengths around those of vectors, give what the source's order gives: also under
// conditions, in triangles, in place, and where each element takes the one above or below.
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --run %s > %t.made
// RUN: polyopt-cc -O3 -ffp-contract=off -march=x86-64-v3 --run %s > %t.narrow
// RUN: diff %t.source %t.made
// RUN: diff %t.source %t.narrow
// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=transfers -o - %s | filecheck %s

#include <stdio.h>

#define N 70

// CHECK-LABEL: func.func @plain
// CHECK:         pvec.write {{.*}}, %a_{{[0-9]+}}[%n_1 + %v + -1]
void plain(int n, float *restrict a, const float *restrict b)
{
    for (int i = n - 1; i >= 0; i--) a[i] = b[i] * 3 + 1;
}

void chosen(int n, double *restrict a, const double *restrict b)
{
    for (int i = n - 1; i >= 0; i--)
        if (b[i] > 20) a[i] = b[i] - i;
}

void moved(int n, short *restrict a, const short *restrict b)
{
    for (int i = n; i-- > 0;) a[i] = b[i];
}

void triangle(int n, int a[N][N], int b[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = i; j >= 0; j--) a[i][j] = b[i][j] * i - j;
}

void above(int n, float *a)
{
    for (int i = n - 2; i >= 0; i--) a[i] = a[i] + a[i + 1];
}

void below(int n, float *a)
{
    for (int i = n - 1; i > 0; i--) a[i] = a[i] * a[i - 1];
}

void rows(int n, double a[N][N], double b[N][N])
{
    for (int i = n - 2; i >= 0; i--)
        for (int j = n - 1; j >= 0; j--) a[i][j] += a[i + 1][j] * b[i][j] + j;
}

static float f[N], g[N];
static double d[N], e[N], u[N][N], w[N][N];
static short p[N], q[N];
static int s[N][N], t[N][N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        f[i] = i % 7, g[i] = i % 5 - 2, d[i] = i % 11, e[i] = i * 13 % 50, p[i] = i, q[i] = 3 * i;
        for (int j = 0; j < N; j++) u[i][j] = i + j, w[i][j] = (i * j) % 3 * 0.25, s[i][j] = i - j, t[i][j] = i * j;
    }
}

int main(void)
{
    for (int n = 0; n < N; n++) {
        fill();
        plain(n, f, g), chosen(n, d, e), moved(n, p, q), triangle(n, s, t), rows(n, u, w);
        above(n, g), below(n, g);
        double sum = 0;
        for (int i = 0; i < N; i++) {
            sum += (f[i] + g[i] + d[i] + p[i]) * (i + 1);
            for (int j = 0; j < N; j++) sum += (u[i][j] + s[i][j]) * (j + 2);
        }
        printf("%d %.17g\n", n, sum);
    }
}
