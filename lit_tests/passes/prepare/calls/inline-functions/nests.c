// Nests of short loops become part of the loops that call them, triangles among them, and deep ones of
// other lengths do not.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p tail-calls,inline-functions | filecheck %s

#include <stdio.h>

static double in[20][5][5], out[20][5][5], c[5][5];

static void both_sides(double x[5][5], double y[5][5])
{
    double t[5][5];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            t[i][j] = 0;
            for (int k = 0; k < 5; k++)
                t[i][j] += c[i][k] * x[k][j];
        }
    for (int i = 0; i <= 4; ++i)
        for (int j = 4; j >= 0; --j) {
            double s = 0;
            for (int k = 0; k != 5; k++)
                s += t[i][k] * c[j][k];
            y[i][j] = s;
        }
}
static void triangle(double x[5][5])
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++) {
            double s = x[i][j];
            for (int k = 0; k < j - 1; k++)
                s -= x[i][k] * x[j][k] * 0.125;
            x[i][j] = s;
        }
}
static void up_to(int n, double x[5][5])
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            for (int k = j; k < n; k++)
                x[i][j] += x[j][k];
}
static void of_length(int n, double x[5][5])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 5; j++)
            x[i][j] += 1;
}
static void long_one(double *x)
{
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < 5; j++)
            x[5 * i + j] *= 2;
}

// CHECK-LABEL: func.func @blocks
// CHECK-NOT:     call @both_sides(
// CHECK-NOT:     call @triangle(
// CHECK:         call @up_to(
// CHECK:         call @of_length(
// CHECK-NOT:     call @both_sides(
// CHECK:         call @long_one(
void blocks(int m)
{
    for (int b = 0; b < m; b++)
        both_sides(in[b], out[b]);
    for (int b = 0; b < m; b++)
        triangle(in[b]);
    for (int b = 0; b < m; b++)
        up_to(b % 5, in[b]);
    for (int b = 0; b < m; b++)
        of_length(b % 5, in[b]);
    for (int b = 0; b < m; b++)
        long_one(&in[0][0][0]);
    both_sides(in[0], in[0]);
    for (int b = 0; b < m; b++)
        both_sides(in[b], in[b]);
}

int main(void)
{
    for (int i = 0; i < 500; i++)
        (&in[0][0][0])[i] = i % 7 - 3 + i * 0.125;
    for (int i = 0; i < 25; i++)
        (&c[0][0])[i] = i % 3 - 0.75;
    for (int m = 0; m < 20; m += 3)
        blocks(m);
    for (int i = 0; i < 500; i++)
        printf("%a %a\n", (&in[0][0][0])[i], (&out[0][0][0])[i]);
    return 0;
}
