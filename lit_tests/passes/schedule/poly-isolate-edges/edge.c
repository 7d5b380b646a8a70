// Ends that meet or overlap because the row is short, that are as wide as the row, of loops by two and
// backwards: the results are the source's for no, one and a few iterations.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --skip-pass=poly-keep-small --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-isolate-edges,poly-print-loops | filecheck %s

#include <stdio.h>

#define N 20

// Both ends are one iteration where n is 1: it runs once.
// CHECK-LABEL: // ring:
// CHECK:       S0(0);
// CHECK:       // parallel
void ring(int n, double a[restrict N], double b[restrict N])
{
    for (int i = 0; i < n; i++)
        b[i] = a[i == 0 ? n - 1 : i - 1] + a[i == n - 1 ? 0 : i + 1];
}

// Ends of three at either side.
void wide(int n, double a[restrict N], double b[restrict N])
{
    for (int i = 0; i < n; i++)
        b[i] = a[i < 3 ? 0 : i - 3] - a[i + 3 > n - 1 ? n - 1 : i + 3];
}

// By two: whether the last one is at the end depends on n.
void by_two(int n, double a[restrict N], double b[restrict N])
{
    for (int i = 0; i < n; i += 2)
        b[i] = a[i + 1 == n ? 0 : i + 1];
}

void backwards(int n, double a[restrict N], double b[restrict N])
{
    for (int i = n - 1; i >= 0; i--)
        b[i] = a[i ? i - 1 : n - 1] + (i == n - 1 ? 5.0 : a[i + 1]);
}

// An end that no iteration reaches.
void beyond(int n, double a[restrict N], double b[restrict N])
{
    for (int i = 0; i < n; i++)
        b[i] = a[i == n ? 0 : i] + a[i < 0 ? 3 : i];
}

// Both dimensions have ends.
void torus(int n, double a[restrict N][N], double b[restrict N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[i == 0 ? n - 1 : i - 1][j] + a[i][j == n - 1 ? 0 : j + 1];
}

static double a[N], b[N], c[N][N], d[N][N];

static void tell(const char *name, int n)
{
    printf("%s %d:", name, n);
    for (int i = 0; i < N; i++) {
        printf(" %a", b[i]);
        for (int j = 0; j < N; j++)
            printf(" %a", d[i][j]), d[i][j] = -7;
        b[i] = -7;
    }
    printf("\n");
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i * 3 % 7 - 2;
        for (int j = 0; j < N; j++)
            c[i][j] = (i * 5 + j * 3) % 11 - 4;
    }
    for (int n = 0; n <= N; n += n < 9 ? 1 : 5) {
        ring(n, a, b), tell("ring", n);
        wide(n, a, b), tell("wide", n);
        by_two(n, a, b), tell("by two", n);
        backwards(n, a, b), tell("backwards", n);
        beyond(n, a, b), tell("beyond", n);
        torus(n, c, d), tell("torus", n);
    }
    return 0;
}
