// Zeroing before, scaling after and copies on both sides of products of no, one and a few rows, columns
// and steps: the results are the source's, whether the contraction takes them in or not.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --skip-pass=poly-keep-small --run %s > %t.made
// RUN: diff %t.source %t.made

#include <stdio.h>

#define N 37
static double A[N][N], B[N][N], C[N][N], D[N][N];

__attribute__((noinline)) void zeroed(int n, int m, int l)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            C[i][j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                C[i][j] += A[i][k] * B[k][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            D[i][j] = C[i][j] * 2 + D[i][j];
}

// What is scaled is more, and less, than what is multiplied.
__attribute__((noinline)) void uneven(int n, int m, int l)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < N; j++)
            C[i][j] *= 0.5;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                C[i][j] += A[i][k] * B[k][j];
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            C[i][j] = C[i][j] > 0 ? C[i][j] : 0;
}

// The factor is what is made in front, and is overwritten behind.
__attribute__((noinline)) void made(int n, int m, int l)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            D[i][k] = A[i][k] + 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                C[i][j] += D[i][k] * B[k][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            D[i][j] = C[i][j];
}

static void tell(const char *name, int n, int m, int l)
{
    double s = 0, t = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            s += C[i][j] * (i * 3 - j + 0.5), t += D[i][j] * (i + 2 * j);
            A[i][j] = (i * 7 + j * 3) % 11 - 5, B[i][j] = (i * 5 + j * 2) % 7 - 3;
            C[i][j] = i - j, D[i][j] = i + j;
        }
    printf("%s %d %d %d: %a %a\n", name, n, m, l, s, t);
}

int main(void)
{
    static const int sizes[] = {-1, 0, 1, 5, 16, 37};
    tell("begin", 0, 0, 0);
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            for (int c = 0; c < 6; c++) {
                int n = sizes[a], m = sizes[b], l = sizes[c];
                zeroed(n, m, l), tell("zeroed", n, m, l);
                uneven(n, m, l), tell("uneven", n, m, l);
                made(n, m, l), tell("made", n, m, l);
            }
    return 0;
}
