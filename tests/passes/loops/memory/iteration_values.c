/* Values of one row, found in one loop of it and used in the next, with rows of each length. All
   numbers are small integers and halves, so that sums are exact in any order. */

#include <stdio.h>

#define ROWS 5
#define LONGEST 70

static double x[ROWS * LONGEST], y[ROWS * LONGEST];
static float a[ROWS * LONGEST], b[ROWS * LONGEST];

__attribute__((noinline)) void centred(const double *restrict p, double *restrict q, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        const double *r = p + i * n;
        double *w = q + i * n;
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += r[j];
        double apart = 0;
        for (int j = 0; j < n; j++)
            apart += (r[j] - sum) * (r[j] - sum);
        apart = apart > 9 ? apart : sum;
        for (int j = 0; j < n; j++)
            w[j] = (r[j] - sum) * 0.5 + apart;
    }
}

__attribute__((noinline)) void pairs(const float *restrict p, float *restrict q, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        float even = 0, odd = 1;
        for (int j = 0; j < n; j++) {
            even += p[i * n + j] * 2;
            odd -= p[i * n + j];
        }
        q[i] = even;
        q[rows + i] = odd;
    }
}

int main(void)
{
    for (int n = 0; n <= LONGEST; n++) {
        double sum = 0;
        for (int k = 0; k < ROWS * n; k++) {
            x[k] = k * 7 % 11 - 5;
            a[k] = (float)(k * 5 % 7 - 2);
        }
        centred(x, y, ROWS, n);
        pairs(a, b, ROWS, n);
        for (int k = 0; k < ROWS * n; k++)
            sum += y[k] * (k % 13 + 1);
        for (int k = 0; k < 2 * ROWS; k++)
            sum += b[k] * (k + 1);
        printf("%d %.17g\n", n, sum);
    }
}
