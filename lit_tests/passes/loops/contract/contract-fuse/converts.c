// Sums of bytes, scaled in long and cut to bytes, as double or as long: the results are the source's
// whatever the rows, columns and steps are, and each module on the way is valid.
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 --verify-each --skip-pass=keep-what-pays --skip-pass=poly-keep-small --run %s > %t.made
// RUN: diff %t.source %t.made

#include <stdio.h>

#define N 37
static short a[N][N];
static signed char b[N][N], narrow[N][N];
static double wide[N][N];

__attribute__((noinline)) void to_bytes(int n, int m, int l, int za, int zb)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int sum = 0;
            for (int k = 0; k < l; k++)
                sum += (a[i][k] - za) * (b[j][k] - zb);
            long scaled = ((long)sum * 1340) >> 11;
            narrow[i][j] = scaled;
        }
}

__attribute__((noinline)) void to_doubles(int n, int m, int l)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int sum = 0;
            for (int k = 0; k < l; k++)
                sum += a[i][k] * b[k][j];
            wide[i][j] = sum;
        }
}

int main(void)
{
    static const int sizes[][3] = {{0, 3, 3}, {1, 1, 1}, {5, 17, 0}, {16, 33, 9}, {37, 37, 37}};
    for (int s = 0; s < 5; s++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                a[i][j] = (i * 37 + j * 5) % 251 - 100;
                b[i][j] = (i * 91 + j * 17) % 201 - 90;
                narrow[i][j] = 1, wide[i][j] = 2;
            }
        const int *size = sizes[s];
        to_bytes(size[0], size[1], size[2], 3, -7);
        to_doubles(size[0], size[1], size[2]);
        double total = 0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                total = total * 0.75 + (i + 2 * j) * narrow[i][j] + wide[i][j];
        printf("%.17g\n", total);
    }
    return 0;
}
