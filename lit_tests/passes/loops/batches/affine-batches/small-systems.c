// Small systems side by side run in lanes, on transposed copies: decompositions, solutions, and what they leave
// in variables are the source's to the last bit, and rows beside them are not written.
// REQUIRES: avx512
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off -march=x86-64-v4 --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-cc -O3 -ffp-contract=off -march=x86-64-v3 --run %s > %t.four
// RUN: diff %t.source %t.four
// RUN: polyopt-cc -O3 -ffp-contract=off -march=x86-64-v4 -fparallel=3 -fparallel-threshold=0 --remarks --run %s > %t.threads 2> %t.told
// RUN: diff %t.source %t.threads
// RUN: filecheck %s --check-prefix=TOLD < %t.told
// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=transfers -o - %s | filecheck %s

// Threads take rows of problems, and lanes run in each.
// TOLD-DAG: applied: loop b in threads: doall
// TOLD-DAG: applied: 8 iterations of b in lanes

#include <math.h>
#include <stdio.h>

#define M 43

static double a[M][5][5], x[M][7], last;
static float f[M][6][6];

// CHECK-LABEL: func.func @cholesky(
// CHECK:         pvec.read_square
// CHECK:         math.sqrt %{{.*}} : vector<8xf64>
// CHECK:         pvec.write_square
__attribute__((noinline)) void cholesky(int m)
{
    for (int b = 0; b < m; b++)
        for (int j = 0; j < 5; j++) {
            double s = a[b][j][j];
            for (int k = 0; k < j; k++)
                s -= a[b][j][k] * a[b][j][k];
            last = s;
            a[b][j][j] = sqrt(s);
            for (int i = j + 1; i < 5; i++) {
                double t = a[b][i][j];
                for (int k = 0; k < j; k++)
                    t -= a[b][i][k] * a[b][j][k];
                a[b][i][j] = t / a[b][j][j];
            }
        }
}

// CHECK-LABEL: func.func @solve(
// CHECK:         vector<8xf64>
__attribute__((noinline)) void solve(int m)
{
    for (int b = 0; b < m; b++) {
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < i; j++)
                x[b][i] -= a[b][i][j] * x[b][j];
            x[b][i] /= a[b][i][i];
        }
        for (int i = 4; i >= 0; i--) {
            for (int j = i + 1; j < 5; j++)
                x[b][i] -= a[b][j][i] * x[b][j];
            x[b][i] /= a[b][i][i];
        }
    }
}

// CHECK-LABEL: func.func @eliminate(
// CHECK:         vector<16xf32>
__attribute__((noinline)) void eliminate(int m)
{
    for (int b = 0; b < m; b++)
        for (int k = 0; k < 6; k++)
            for (int i = k + 1; i < 6; i++) {
                float l = f[b][i][k] / f[b][k][k];
                f[b][i][k] = l;
                for (int j = k + 1; j < 6; j++)
                    f[b][i][j] -= l * f[b][k][j];
            }
}

// A test of the loops inside is one of all lanes.
// CHECK-LABEL: func.func @rows(
// CHECK:         affine.if
// CHECK:           math.sqrt %{{.*}} : vector<8xf64>
__attribute__((noinline)) void rows(int m)
{
    for (int b = 0; b < m; b++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j <= i; j++) {
                double s = a[b][i][j];
                for (int k = 0; k < j; k++)
                    s -= a[b][i][k] * a[b][j][k];
                a[b][i][j] = i == j ? sqrt(s) : s / a[b][j][j];
            }
}

int main(void)
{
    static const int sizes[] = {0, 1, 7, 8, 16, 33, 43};
    for (int s = 0; s < 7; s++) {
        for (int b = 0; b < M; b++) {
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 5; j++)
                    a[b][i][j] = i == j ? 9 + b % 5 : 1.0 / (1 + i + j + b % 3);
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    f[b][i][j] = i == j ? 9 + b % 4 : 1.0f / (2 + i * 3 + j + b % 7);
            for (int i = 0; i < 7; i++)
                x[b][i] = i - b;
        }
        cholesky(sizes[s]), solve(sizes[s]), eliminate(sizes[s]);
        double sum = 0;
        for (int b = 0; b < M; b++) {
            for (int i = 0; i < 25; i++)
                sum += a[b][i / 5][i % 5] * (i + b);
            for (int i = 0; i < 36; i++)
                sum += f[b][i / 6][i % 6] * (i - b);
            for (int i = 0; i < 7; i++)
                sum += x[b][i] * (i + 2);
            for (int i = 0; i < 25; i++)
                a[b][i / 5][i % 5] = i % 6 ? 1.0 / (1 + i + b % 3) : 8 + b % 5;
        }
        rows(sizes[s]);
        for (int b = 0; b < M; b++)
            for (int i = 0; i < 25; i++)
                sum += a[b][i / 5][i % 5] * (b - i);
        printf("%d: %a %a\n", sizes[s], sum, last);
    }
    return 0;
}
