/* Loops whose variables are no sums of iterators, and whose accesses are still known. */
#include <stdio.h>

#define N 60
#define M 100

static double ring[3][M], a[4 * N], b[4 * N];
static float f[1024], g[1024];

static void flip(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < M - 1; j++)
            ring[1 - t][j] = ring[t][j - 1] + ring[t][j + 1];
        t = 1 - t;
    }
}

static void flop(int n)
{
    for (int i = 0, t = 1; i < n; i++, t ^= 1)
        for (int j = 1; j < M - 1; j++)
            ring[t ^ 1][j] = 0.5 * ring[t][j - 1] + ring[t][j + 1];
}

static void around(int n)
{
    unsigned t = 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < M; j++)
            ring[(t + 1) % 3][j] = ring[t][j] - ring[(t + 2) % 3][j];
        t = (t + 1) % 3;
    }
}

static void wrap_around(int n)
{
    int left = n - 1;
    for (int i = 0; i < n; i++) {
        b[i] = a[i] + a[left];
        left = i;
    }
}

static void twice_around(int n)
{
    int last = n - 1, before = n - 2;
    for (int i = 0; i < n; i++) {
        b[i] += a[last] * a[before];
        before = last;
        last = i;
    }
}

static void exchanged(int n)
{
    int even = 0, odd = 3;
    for (int i = 0; i < n; i++) {
        b[4 * i + even] = a[4 * i + odd];
        int t = even;
        even = odd;
        odd = t;
    }
}

static void equal_arms(int n, int m)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        a[k] = i;
        k = m > 3 ? k + 2 : k + 2;
    }
}

static void masked(int n)
{
    for (int i = 0; i < n; i++) {
        a[2 * i | 1] = b[i & ~7] + b[i & 6];
        b[i ^ 1] = a[i | 4];
    }
}

static void masked_unsigned(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        a[(i ^ 3u) & 0xfffffffcu] += b[i | 2u];
}

static void differences(double *p, double *end)
{
    for (double *q = p; q < end; q++)
        p[q - p] = 2.0 * b[end - q - 1];
}

static void doubled(void)
{
    for (int s = 1; s < 16; s *= 2) {
        for (int i = 0; i < 1024; i++)
            g[i] = i >= s ? f[i] + f[i - s] : f[i];
        for (int i = 0; i < 1024; i++)
            f[i] = g[i];
    }
}

static void halved(void)
{
    for (int s = 8; s > 0; s >>= 1)
        for (int i = 0; i < s; i++)
            f[i] += f[i + s];
}

static void tripled(void)
{
    for (unsigned s = 1; s < 70; s *= 3)
        for (int i = 0; i < 200; i++)
            g[i + s] -= f[i];
}

static void triangular(void)
{
    int row = 0;
    for (int i = 0; i < 7; i++) {
        row += i;
        for (int j = 0; j <= i; j++)
            a[row + j] += b[i] * b[j];
    }
}

static void saturating(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        a[i] = b[i + k];
        k = k < 2 ? k + 1 : 2;
    }
}

/* No constraint says how these grow, and no table is long enough: the index is computed. */
static void grows(int n)
{
    unsigned x = 1, y = 0, z = 0;
    for (int i = 0; i < n; i++) {
        a[x % 200] += 1.0;
        b[y % 150] += a[z % 100];
        z += y;
        y += (unsigned)i + 3;
        x *= 3;
    }
}

static void show(const char *name, int n)
{
    double sum = 0.0, weighted = 0.0;
    for (int i = 0; i < 4 * N; i++) {
        sum += a[i] + b[i];
        weighted += i % 7 * a[i] + i % 5 * b[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < M; j++)
            weighted += (i + j % 3) * ring[i][j];
    for (int i = 0; i < 1024; i++)
        sum += i % 3 * f[i] + i % 5 * g[i];
    printf("%s %d %.17g %.17g\n", name, n, sum, weighted);
}

static void fill(void)
{
    for (int i = 0; i < 4 * N; i++) {
        a[i] = i % 11 * 0.5;
        b[i] = i % 13 * 0.25;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < M; j++)
            ring[i][j] = (i * 7 + j) % 5;
    for (int i = 0; i < 1024; i++) {
        f[i] = i % 9;
        g[i] = i % 4;
    }
}

#define TRY(call) fill(), call, show(#call, n)

int main(void)
{
    static const int lengths[] = {0, 1, 2, 3, 4, 7, 8, 16, 31, 50};
    for (int k = 0; k < 10; k++) {
        int n = lengths[k];
        TRY(flip(n));
        TRY(flop(n));
        TRY(around(n));
        TRY(n < 2 ? (void)0 : wrap_around(n));
        TRY(n < 2 ? (void)0 : twice_around(n));
        TRY(exchanged(n));
        TRY(equal_arms(n, n));
        TRY(masked(n));
        TRY(masked_unsigned((unsigned)n));
        TRY(differences(a, a + n));
        TRY(saturating(n));
        TRY(grows(n));
    }
    int n = 0;
    TRY(doubled());
    TRY(halved());
    TRY(tripled());
    TRY(triangular());
    return 0;
}
