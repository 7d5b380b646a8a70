// Of sweeps of different lengths, of which some do not run, one row late or more than there are
// rows: the results are those of the source.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-schedule{scheduler="locality"},poly-fuse-shifted{march="x86-64-v3"},poly-print-loops \
// RUN:   | filecheck %s

#include <stdio.h>

#define N 3000

static double a[N + 8][64], b[N + 8][64], c[N + 8][64], d[N + 8][64];

// CHECK-LABEL: // sweeps:
// CHECK:       S0(c0, c1);
// CHECK:       S1(c0 - 7, c1);
// CHECK:       S2(c0 - 8, c1);
void sweeps(int n, int m, int k)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] + a[i + 1][j];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = b[i + 7][j] - b[i][j] + a[i][j];
    for (int i = 0; i < k - 1; i++)
        for (int j = 0; j < m - 1; j++)
            d[i][j] = c[i + 1][j + 1] - b[i][j] + a[i][j] * c[i][j];
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 6, 7, 8, 9, 64, N};
    for (int i = 0; i < N + 8; i++)
        for (int j = 0; j < 64; j++)
            a[i][j] = (i * 7 + j * 3) % 11, b[i][j] = (i + j) % 5, c[i][j] = i % 3, d[i][j] = 0;
    for (int p = 0; p < 9; p++)
        for (int q = 0; q < 9; q++) {
            int m = sizes[p] < 64 ? sizes[p] : 64;
            sweeps(sizes[q], m, sizes[p]);
            double sum = 0;
            for (int i = 0; i < N + 8; i++)
                for (int j = 0; j < 64; j++)
                    sum += b[i][j] + 3 * c[i][j] * (i % 17) + 5 * d[i][j] * (j % 13);
            printf("%d %d %.0f\n", sizes[p], sizes[q], sum);
        }
    return 0;
}
