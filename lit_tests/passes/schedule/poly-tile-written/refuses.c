// RUN: polyopt-cc -O3 -march=x86-64-v3 -fparallel --emit=schedule --skip-pass=keep-what-pays -o - %s | filecheck %s

// No tiles of what is written where a loop around is parallel, where the table is small for sure, and
// where rows need rows on both sides.

// CHECK-NOT: team.available

void rows(int n, int m, double a[restrict n][m], const double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int k = 1; k < m; k++)
            for (int j = k; j < m; j++)
                a[i][j] += a[i][k - 1] * b[j - k];
}

void small(long m[restrict 60][60])
{
    for (int l = 2; l <= 60; l++)
        for (int i = 0; i < 61 - l; i++)
            for (int k = i; k < i + l - 1; k++)
                if (m[i][k] + m[k + 1][i + l - 1] < m[i][i + l - 1])
                    m[i][i + l - 1] = m[i][k] + m[k + 1][i + l - 1];
}

void both(int n, double a[restrict n][n])
{
    for (int i = 1; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                a[i][j] = a[i][j] * a[k][i] + a[k][j] * a[j][k];
}
