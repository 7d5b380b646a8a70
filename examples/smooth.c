/* Smoothing in time: each sweep over the array reads what the last one left. */

#include <stdio.h>

#define N 2000

void smooth(int steps, int n, double a[restrict n], double b[restrict n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

static double a[N], b[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i * i % 101;
    smooth(500, N, a, b);
    printf("a[1000] = %.15f\n", a[1000]);
    return 0;
}
