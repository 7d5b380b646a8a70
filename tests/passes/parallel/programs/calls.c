/* calls in loops: recursion, static helpers that write through pointers, function pointers, statics */
#include <stdio.h>
#include <stdlib.h>
#define N 256
static double u[N][N], v[N][N];
static int calls;

static double leaf(double x, int k) {
    return k ? leaf(x * 0.5 + k, k - 1) : x;
}

static void put(double *p, double x) {
    *p = x + *p * 0.25;
}

static int count(int k) {
    calls += k;
    return calls;
}

static void row(double *restrict r, const double *restrict s, int n) {
    for (int j = 0; j < n; j++)
        r[j] += s[j] * (j % 7) * 0.125;
}
static double (*fn)(double, int) = leaf;

static int cmp(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void all(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            put(&u[i][j], leaf(v[j][i], (i + j) % 4));
    for (int i = 0; i < n; i++)
        row(u[i], v[i], n);
    for (int i = 1; i < n; i++)
        row(v[i], v[i - 1], i);
    for (int i = 0; i < n; i++) {
        double t[16];
        for (int k = 0; k < 16; k++)
            t[k] = u[i][k % (n ? n : 1)] * (k - 7);
        for (int j = 0; j < n; j++)
            v[i][j] += t[j % 16];
    }
    for (int i = 0; i < n; i++)
        u[i][0] += count(i);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j += 5)
            v[i][j] = fn(v[i][j], 2);
    for (int i = 0; i < n; i++)
        qsort(u[i], n, sizeof(double), cmp);
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
        u[i][j] = i * 0.5 - j;
        v[i][j] = (i * j) % 13;
    }
    all(0);
    all(1);
    all(2);
    all(100);
    all(N);
    double t = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            t += u[i][j] * ((i + j) % 3) - v[i][j] * 1e-3;
    printf("%.17g %d\n", t, calls);
    return 0;
}
