/* Variables that follow a loop, and loops that are one although one's bounds are the other's. */
#include <stdio.h>

#define N 50

static double a[N], b[2 * N + 2];

static void linear(void)
{
    int i, j = 1, k = 3;
    double *p = b;
#pragma omp simd linear(j : 2) linear(p : 2)
    for (i = 0; i < N; i++) {
        a[i] = b[j] + *p;
        j += 2;
        p += 2;
    }
    printf("%d %d %ld %g %g\n", i, j, (long)(p - b), a[0], a[N - 1]);
#pragma omp parallel for linear(k : 3) schedule(static, 4)
    for (i = N - 1; i >= 0; i--) {
        a[i] = b[k % 90];
        k += 3;
    }
    printf("%d %g %g\n", k, a[0], a[N - 1]);
#pragma omp parallel for simd linear(k : -1)
    for (i = 0; i < N; i += 3) {
        a[i] = k;
        k--;
    }
    printf("%d %g %g\n", k, a[0], a[48]);
#pragma omp simd linear(i : 1)
    for (i = 0; i < N; i++)
        a[i] = i;
    printf("%d %g\n", i, a[N - 1]);
}

static void triangles(void)
{
    static int m[N][N], t[3][N][N];
    int u, v, count = 0;
    long sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (u = 0; u < N; u++)
        for (v = u; v < N; v++) {
            m[u][v] = u + v;
            sum += u * v;
        }
#pragma omp parallel for collapse(3)
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < N; y += 2)
            for (int z = y + 1; z < N; z++)
                t[x][y][z] = x * y + z;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop collapse(2)
        for (u = 0; u < N; u++)
            for (v = 0; v < u; v++)
                m[u][v] = u - v;
    }
    for (u = 0; u < N; u++)
        for (v = 0; v < N; v++) {
            count += m[u][v] * (v % 7 + 1);
            for (int x = 0; x < 3; x++)
                count += t[x][u][v] * (u % 5 + 1);
        }
    printf("%d %ld\n", count, sum);
}

/* Without iterations, variables are what they were. */
static void nothing_to_do(int n)
{
    int k = 2, last = 41, w = 7;
    long sum = 0;
#pragma omp simd linear(k : 2) lastprivate(last) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        a[i] = k;
        k += 2;
        last = i;
        sum += a[i];
    }
#pragma omp parallel
#pragma omp single
#pragma omp taskloop lastprivate(w)
    for (int i = 0; i < n; i++)
        w = i;
    printf("%d %d %d %ld\n", k, n > 0 ? last : 0, w, sum);
}

int main(void)
{
    for (int i = 0; i < 2 * N + 2; i++)
        b[i] = i;
    linear();
    triangles();
    nothing_to_do(0);
    nothing_to_do(5);
    return 0;
}
