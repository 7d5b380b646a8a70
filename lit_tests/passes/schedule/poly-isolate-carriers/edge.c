// What carries stands at an end, twice in a row, or where the loop does not go: the results are the
// source's for no, one and a few iterations.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --skip-pass=poly-keep-small --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-isolate-carriers,poly-print-loops | filecheck %s

#include <stdio.h>

#define N 12

// The first iteration is what all others read; there is none before it.
// CHECK-LABEL: // first:
// CHECK:       S0(0);
// CHECK:       // parallel
void first(int n, double a[restrict N])
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 + a[0];
}

// The last one.
void last(int n, double a[restrict N])
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 + a[n - 1];
}

// Two places, in a row and a column, which may be the same.
void two(int n, int p, int q, double a[restrict N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] - a[i][p] * 0.5 + a[i][q];
}

// Backwards, by two.
void back(int n, int p, double a[restrict N])
{
    for (int i = n - 1; i >= 0; i -= 2)
        a[i] = a[i] + a[p] * 0.25;
}

// An unsigned counter, and a pivot that moves with the outer loop and leaves the inner one.
void moving(unsigned n, double a[restrict N][N])
{
    for (unsigned k = 0; k < 2 * n; k++)
        for (unsigned i = 0; i < n; i++)
            a[0][i] = a[0][i] + a[0][k % N] * 0.125;
}

static double a[N][N], b[N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = i * 3 % 7 - 2;
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 5 + j * 3) % 11 - 4;
    }
}

static void tell(const char *name, int n)
{
    printf("%s %d:", name, n);
    for (int i = 0; i < N; i++)
        printf(" %a", b[i]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf(" %a", a[i][j]);
    printf("\n");
}

int main(void)
{
    for (int n = 0; n <= N; n += n < 4 ? 1 : 3) {
        fill(), first(n, b), tell("first", n);
        if (n > 0)
            fill(), last(n, b), tell("last", n);
        for (int p = 0; p < N; p += 4)
            for (int q = 0; q < N; q += 5)
                fill(), two(n, p, q, a), back(n, q, b), tell("two", n);
        fill(), moving(n, a), tell("moving", n);
    }
    return 0;
}
