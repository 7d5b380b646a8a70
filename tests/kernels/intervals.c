/* The best way, or the number of ways, to split each interval of a sequence. */

#include <stdio.h>

#define N 230
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int T[N][N], U[N][N], V[N][N], E[N][N], weight[N + 1];
static unsigned ways[N][N];
static long chain[N][N];
static double score[N][N], price[N];
static signed char base[N];

static void folds(int n)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            int m = T[i][j];
            if (j - 1 >= 0)
                m = MAX(m, T[i][j - 1]);
            if (i + 1 < n)
                m = MAX(m, T[i + 1][j]);
            if (i + 1 < n && j - 1 >= 0) {
                int p = T[i + 1][j - 1] + ((i < j - 1 && base[i] + base[j] == 3) ? 1 : 0);
                m = MAX(m, p);
            }
            for (int k = i + 1; k < j; k++)
                m = MAX(m, T[i][k] + T[k + 1][j]);
            T[i][j] = m;
        }
}

static void folds_in_place(int n)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            U[i][j] = MAX(U[i][j], U[i][j - 1]);
            U[i][j] = MAX(U[i][j], U[i + 1][j]);
            if (i < j - 1)
                U[i][j] = MAX(U[i][j], U[i + 1][j - 1] + (base[i] == base[j]));
            for (int k = i + 1; k < j; k++)
                U[i][j] = MAX(U[i][j], U[i][k] + U[k + 1][j]);
        }
}

static void from_nothing(int n)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            int m = base[i] - 5;
            for (int k = i + 1; k < j; k++)
                m = MAX(m, V[i][k] + V[k + 1][j]);
            V[i][j] = m;
        }
}

static void neighbours_added(int n)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            int m = (E[i][j - 1] + E[i + 1][j]) / 2 - 3 * base[j];
            for (int k = i + 1; k < j; k++)
                m = MIN(m, (E[i][k] + E[k + 1][j]) / 2);
            E[i][j] = m;
        }
}

static void split_in_all_ways(int n)
{
    for (int i = n - 1; i >= 0; i--) {
        ways[i][i] = 1 + (unsigned)base[i];
        for (int j = i + 1; j < n; j++) {
            unsigned m = 0;
            for (int k = i; k < j; k++)
                m += ways[i][k] * ways[k + 1][j];
            ways[i][j] = m;
        }
    }
}

static void chained(int n)
{
    for (int l = 1; l < n; l++)
        for (int i = 0; i + l < n; i++) {
            int j = i + l;
            chain[i][j] = 1L << 60;
            for (int k = i; k < j; k++)
                chain[i][j] = MIN(chain[i][j], chain[i][k] + chain[k + 1][j]
                                                   + (long)weight[i] * weight[k + 1] * weight[j + 1]);
        }
}

static void scored(int n)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            double s = price[i] * price[j];
            for (int k = i + 1; k < j; k++)
                s += score[i][k] * score[k + 1][j];
            score[i][j] = s * 0.015625;
        }
}

static void start(void)
{
    for (int i = 0; i < N; i++) {
        base[i] = (i * 7 + i / 3) & 3;
        price[i] = 1 + (i * 37 % 11) * 0.25;
        weight[i] = 1 + i * 29 % 17;
        for (int j = 0; j < N; j++) {
            T[i][j] = U[i][j] = (i * 5 + j * 3) % 4;
            V[i][j] = E[i][j] = (i + j) % 3 - 1;
            ways[i][j] = 0;
            chain[i][j] = 0;
            score[i][j] = i == j ? price[i] : 0;
        }
    }
    weight[N] = 4;
}

static void show(int n)
{
    unsigned long sums[6] = {0};
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            sums[0] = sums[0] * 31 + T[i][j];
            sums[1] = sums[1] * 31 + U[i][j];
            sums[2] = sums[2] * 31 + V[i][j];
            sums[3] = sums[3] * 31 + E[i][j];
            sums[4] = sums[4] * 31 + ways[i][j];
            sums[5] = sums[5] * 31 + chain[i][j];
            s += score[i][j] * (i + 1);
        }
    printf("%d:", n);
    for (int k = 0; k < 6; k++)
        printf(" %lu", sums[k]);
    printf(" %.17g\n", s);
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 17, 63, 64, 65, 150, 192, N};
    for (int k = 0; k < 11; k++) {
        int n = sizes[k];
        start();
        folds(n);
        folds_in_place(n);
        from_nothing(n);
        neighbours_added(n);
        split_in_all_ways(n);
        chained(n);
        scored(n);
        show(n);
    }
    return 0;
}
