/* intervals: nussinov, matrix chain, optimal BST, palindromes; sizes from nothing; ties */
#include <stdio.h>
#include <limits.h>
#define N 70
static int tab[N][N], sp[N][N], seq[N], pal[N][N];
static long mc[N][N], p[N + 1];
static double c[N][N], wt[N][N], q[N];

void nuss(int n) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
        if (j - 1 >= 0 && tab[i][j] < tab[i][j - 1])
            tab[i][j] = tab[i][j - 1];
        if (i + 1 < n && tab[i][j] < tab[i + 1][j])
            tab[i][j] = tab[i + 1][j];
        if (j - 1 >= 0 && i + 1 < n) {
            int v = tab[i + 1][j - 1] + (i < j - 1 && seq[i] + seq[j] == 3);
            if (tab[i][j] < v)
                tab[i][j] = v;
        }
        for (int k = i + 1; k < j; k++)
            if (tab[i][j] < tab[i][k] + tab[k + 1][j])
                tab[i][j] = tab[i][k] + tab[k + 1][j];
    }
}

void chain(int n) {
    for (int i = 0; i < n; i++)
        mc[i][i] = 0;
    for (int len = 2; len <= n; len++)
        for (int i = 0; i + len - 1 < n; i++) {
        int j = i + len - 1;
        mc[i][j] = LONG_MAX;
        for (int k = i; k < j; k++) {
            long v = mc[i][k] + mc[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
            if (v < mc[i][j]) {
                mc[i][j] = v;
                sp[i][j] = k;
            }
        }
    }
}

void bst(int n) {
    for (int i = 0; i < n; i++) {
        c[i][i] = q[i];
        wt[i][i] = q[i];
    }
    for (int len = 2; len <= n; len++)
        for (int i = 0; i <= n - len; i++) {
        int j = i + len - 1;
        wt[i][j] = wt[i][j - 1] + q[j];
        double best = 1e300;
        for (int r = i; r <= j; r++) {
            double l = r > i ? c[i][r - 1] : 0, rr = r < j ? c[r + 1][j] : 0;
            if (l + rr < best)
                best = l + rr;
        }
        c[i][j] = best + wt[i][j];
    }
}

void pals(int n) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i; j < n; j++) {
        if (i == j)
            pal[i][j] = 1;
        else if (seq[i] == seq[j])
            pal[i][j] = (j == i + 1 ? 0 : pal[i + 1][j - 1]) + 2;
        else
            pal[i][j] = pal[i + 1][j] > pal[i][j - 1] ? pal[i + 1][j] : pal[i][j - 1];
    }
}

int main(void) {
    for (int i = 0; i < N; i++) {
        seq[i] = i * i % 7 % 4;
        q[i] = (i * 37 % 101) / 64.0;
    }
    for (int i = 0; i <= N; i++)
        p[i] = 1 + i * 29 % 17;
    static const int z[] = {0, 1, 2, 3, 5, 16, 17, 65, 69, 70};
    unsigned long h = 0;
    double s = 0;
    for (int k = 0; k < 10; k++) {
        int n = z[k];
        nuss(n);
        chain(n);
        bst(n);
        pals(n);
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++) {
            h = h * 31 + tab[i][j] + mc[i][j] * 3 + sp[i][j] * 5 + pal[i][j];
            s += c[i][j];
        }
    }
    printf("%lu %.17g\n", h, s);
    return 0;
}
