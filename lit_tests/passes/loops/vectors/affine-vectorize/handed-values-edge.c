// Recurrences of two and three terms over no element, over one, over few and over many, forward and
// backward, down a column, and beside a store to another array; and several stores to one array, that
// take turns at an element, overwrite each other, or do so before it is read.
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
static void dithered(int n)
{
    for (int i = 2; i < n; i++) {
        double e = y[i] * 0.5;
        y[i + 1] += e * 0.5;
        z[i - 1] += e * 0.25;
        z[i] += e * 0.125;
        z[i + 1] += e * 0.0625;
    }
}
static void eliminated(int n)
{
    for (int i = 0; i < n - 2; i++) {
        double m = z[i + 1] / (y[i] + 9);
        y[i + 1] -= m * 0.5;
        double q = 0.25 / (y[i] + 9);
        z[i + 2] -= q * 0.5;
        y[i + 2] -= q * 0.25;
    }
}
static void overwritten(int n)
{
    for (int i = 3; i < n; i++) {
        double u = y[i - 1], v = y[i - 2], w = y[i - 3];
        y[i] = u * 0.5 + v;
        y[i - 1] = w - u * 0.25;
        y[i] = y[i] + 0.5 * w;
    }
}
static void in_between(int n)
{
    for (int i = 4; i < n; i++) {
        y[i] = y[i - 1] * 0.5 + z[i];
        y[i - 2] = y[i - 3] * 0.25 + y[i - 4];
        z[i] = y[i - 2] + y[i - 1];
    }
}
static void same_element(int n)
{
    for (int i = 2; i < n; i++) {
        y[i] = y[i - 1] * 0.5 + y[0];
        y[0] = y[i - 2] + y[i];
    }
}
static void faster(int n)
{
    for (int i = 1; 2 * i < n; i++) {
        y[2 * i] = y[2 * i - 1] * 0.5 + y[2 * i - 2];
        y[2 * i + 1] = y[2 * i - 1] + y[i];
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
        dithered(n - 1);
        eliminated(n);
        overwritten(n);
        in_between(n);
        same_element(n);
        faster(n - 1);
        for (int i = 0; i < 40; i++)
            printf("%a %a %a\n", y[i], z[i], a[i][1]);
    }
    return 0;
}
