// Recurrences of two and three terms over no element, over one, over few and over many, forward and
// backward, down a column, and beside a store to another array.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made

#include <stdio.h>

static double y[40], z[40], a[40][3];

static void forward(int n)
{
    for (int i = 2; i < n; i++)
        y[i] = z[i] + 0.5 * y[i - 1] - 0.25 * y[i - 2];
}
static void backward(int n)
{
    for (int i = n - 4; i >= 0; i--)
        y[i] -= 0.5 * y[i + 1] + 0.25 * y[i + 2] - 0.125 * y[i + 3];
}
static void column(int n)
{
    for (int i = 2; i < n; i++)
        a[i][1] += a[i - 1][1] * 0.5 + a[i - 2][1] * a[i][0];
}
static void both(int n)
{
    for (int i = 2; i < n; i++) {
        y[i] = y[i - 1] - 0.5 * y[i - 2] + z[i - 1];
        z[i] = z[i - 1] * 0.5 + z[i - 2] * 0.25 + y[i];
    }
}

int main(void)
{
    for (int n = 0; n <= 40; n += n < 10 ? 1 : 15) {
        for (int i = 0; i < 40; i++) {
            y[i] = i % 7 - 2.5;
            z[i] = i % 5 + 0.75;
            for (int k = 0; k < 3; k++)
                a[i][k] = (i + k) % 4 * 0.5;
        }
        forward(n);
        backward(n);
        column(n);
        both(n);
        for (int i = 0; i < 40; i++)
            printf("%a %a %a\n", y[i], z[i], a[i][1]);
    }
    return 0;
}
