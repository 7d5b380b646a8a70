/* Sums under conditions over what is only there where these hold. */
#include <stdio.h>
#include <stdlib.h>

static int chosen(int n, int limit, const int *at, const int *x)
{
    int sum = 0, many = 0;
    for (int i = 0; i < n; i++)
        if (at[i] > limit) {
            sum += x[i];
            many++;
        }
    return 1000 * sum + many;
}

static int looked_up(int n, const int *at, const int *x)
{
    int sum = 7;
    for (int i = 0; i < n; i++)
        if (at[i] >= 0 && at[i] < n)
            sum -= x[at[i]];
    return sum;
}

static int divided(int n, const int *at, const int *x)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (at[i] != 0 && x[i] / at[i] > 1)
            sum += x[i] / at[i];
    return sum;
}

static int sides(int n, const int *at, const int *x, const int *y)
{
    unsigned sum = 1;
    for (int i = 0; i < n; i++)
        if (at[i] < 3)
            sum += x[i];
        else
            sum += 3 * y[i];
    return sum;
}

static unsigned filtered(int n, const int *at, const int *x, const int *y)
{
    unsigned sum = 0, squares = 1, many = 2;
    for (int i = 0; i < n; i++) {
        if (at[i] > 6)
            continue;
        if (y[i] & 0x505)
            continue;
        sum += x[i];
        squares += x[i] * x[i];
        many++;
    }
    return sum + 3 * squares + 1000 * many;
}

static void bins(int n, int m, const int *at, const int *x, int *sums)
{
    for (int k = 0; k < m; k++) {
        int low = 2 * k - 3, high = 2 * k, sum = 0, many = 0;
        for (int i = 0; i < n; i++)
            if (low <= at[i] && at[i] < high) {
                sum += x[i];
                many++;
            }
        sums[k] = many ? sum * 8 + many : -1;
    }
}

int main(void)
{
    for (int n = 0; n < 40; n += n < 20 ? 1 : 7) {
        int *at = malloc(n * sizeof *at + 1), *x = malloc(n * sizeof *x + 1);
        int *y = malloc(n * sizeof *y + 1), sums[5];
        for (int i = 0; i < n; i++) {
            at[i] = i % 7 == 6 ? 1 << 28 : i * 5 % 11 - 2;
            x[i] = i * 13 % 29 - 9;
            y[i] = 1 << i % 17;
        }
        bins(n, 5, at, x, sums);
        printf("%d %d %d %d", chosen(n, 3, at, x), looked_up(n, at, x), divided(n, at, x),
               sides(n, at, x, y));
        printf(" %u", filtered(n, at, x, y));
        printf(" %d %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3], sums[4]);
        free(at), free(x), free(y);
    }
}
