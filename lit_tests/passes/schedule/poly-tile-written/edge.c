// Just too little, tiles that are not full, and a table that ends with one: the results are the source's, with one
// thread, with several, and with more than there are rows of tiles.
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 -fparallel=3 -fparallel-threshold=0 --skip-pass=keep-what-pays %s -o %t.made
// RUN: env OMP_WAIT_POLICY=passive %t.made > %t.three
// RUN: diff %t.source %t.three
// RUN: polyopt-cc -O3 -fparallel=1 -fparallel-threshold=0 --skip-pass=keep-what-pays --run %s > %t.one
// RUN: diff %t.source %t.one
// REQUIRES: cc

#include <stdio.h>

#define N 193

static long m[N][N], u[N][N], p[N + 1];

void chain(int n)
{
    for (int l = 2; l <= n; l++)
        for (int i = 0; i < n - l + 1; i++) {
            int j = i + l - 1;
            m[i][j] = 1L << 60;
            for (int k = i; k < j; k++) {
                long q = m[i][k] + m[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
                if (q < m[i][j])
                    m[i][j] = q;
            }
        }
}

void split(int n)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            u[i][j] = 3 * j - i;
            for (int k = i + 1; k < j; k++)
                if (u[i][k] + u[k][j] > u[i][j])
                    u[i][j] = u[i][k] + u[k][j] - (k % 5 == 0);
        }
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 161, 162, 163, 191, 192, 193};
    unsigned long sum = 0;
    for (int i = 0; i <= N; i++)
        p[i] = 1 + i * 29 % 17;
    for (int s = 0; s < 10; s++) {
        chain(sizes[s]);
        split(sizes[s]);
        for (int i = 0; i < sizes[s]; i++)
            for (int j = 0; j < sizes[s]; j++)
                sum = sum * 31 + m[i][j] + u[i][j] * 3;
    }
    printf("%lu\n", sum);
    return 0;
}
