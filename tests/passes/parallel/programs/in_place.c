/* tables over intervals in place, of all directions and orders, odd sizes: tiles of what is written */
#include <stdio.h>
#define N 333
static long m[N][N], u[N][N], d[N][N];
static double f[N][N];
static int p[N + 1];

void chain(int n) {
    for (int i = 0; i < n; i++)
        m[i][i] = 0;
    for (int l = 2; l <= n; l++)
        for (int i = 0; i < n - l + 1; i++) {
        int j = i + l - 1;
        m[i][j] = 1L << 60;
        for (int k = i; k < j; k++) {
            long q = m[i][k] + m[k + 1][j] + (long)p[i] * p[k + 1] * p[j + 1];
            if (q < m[i][j])
                m[i][j] = q;
        }
    }
}

void split(int n) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
        u[i][j] = 3 * j - i;
        for (int k = i + 1; k < j; k++) {
            if (u[i][k] + u[k][j] > u[i][j])
                u[i][j] = u[i][k] + u[k][j] - (k % 5 == 0);
        }
    }
}

void down(int n) {
    for (int j = 0; j < n; j++)
        for (int i = j; i >= 0; i--) {
        d[j][i] = j * i % 17;
        for (int k = i; k < j; k++) {
            long v = d[k][i] + d[j][k + 1];
            if (v < d[j][i] + 4)
                d[j][i] = v;
        }
    }
}

void lower(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
        double s = f[i][j];
        for (int k = 0; k < j; k++)
            s -= f[i][k] * f[j][k] * 0.001;
        f[i][j] = s * 0.5;
    }
}

int main(void) {
    for (int i = 0; i <= N; i++)
        p[i] = 1 + i * 29 % 17;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            f[i][j] = (i * 7 + j * 3) % 11;
    static const int z[] = {0, 1, 2, 3, 31, 32, 33, 129, 162, 332, 333};
    unsigned long h = 0;
    double s = 0;
    for (int q = 0; q < 11; q++) {
        int n = z[q];
        chain(n);
        split(n);
        down(n);
        lower(n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
            h = h * 31 + m[i][j] + u[i][j] * 3 + d[i][j] * 5;
            s += f[i][j] * ((i + j) % 3);
        }
    }
    printf("%lu %.17g\n", h, s);
    return 0;
}
