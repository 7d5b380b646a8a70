/* Small states in local arrays: each function is called for ensembles of all sizes from 0 on. */
#include <stdio.h>
#include <string.h>

#define MOST 40
static double y[4 * MOST], rates[MOST];

static void slope(const double u[3], double r, double d[3])
{
    d[0] = 2.0 * (u[1] - u[0]);
    d[1] = u[0] * (r - u[2]) - u[1];
    d[2] = u[0] * u[1] - 0.5 * u[2];
}

static void columns(int n, int steps, double *y, double *rates)
{
    for (int s = 0; s < n; s++) {
        double u[3], k[3], w[3];
        for (int c = 0; c < 3; c++)
            u[c] = y[c * MOST + s];
        for (int t = 0; t < steps; t++) {
            slope(u, rates[s], k);
            for (int c = 0; c < 3; c++)
                w[c] = u[c] + 0.005 * k[c];
            slope(w, rates[s], k);
            for (int c = 0; c < 3; c++)
                u[c] += 0.01 * k[c];
        }
        for (int c = 0; c < 3; c++)
            y[c * MOST + s] = u[c];
    }
}

static void rows(int n, int steps, double *y, double *rates)
{
    for (int s = 0; s < n; s++) {
        double q[2], p[2];
        for (int c = 0; c < 2; c++) {
            q[c] = y[4 * s + c];
            p[c] = y[4 * s + 2 + c];
        }
        for (int t = 0; t < steps; t++) {
            for (int c = 0; c < 2; c++)
                p[c] -= 0.01 * rates[s] * q[c] + 0.02 * (q[c] - q[1 - c]);
            for (int c = 0; c < 2; c++)
                q[c] += 0.01 * p[c];
        }
        for (int c = 0; c < 2; c++) {
            y[4 * s + c] = q[c];
            y[4 * s + 2 + c] = p[c];
        }
    }
}

static void copies(int n, int steps, double *y, double *rates)
{
    for (int s = 0; s < n; s++) {
        double u[4], old[4];
        memcpy(u, y + 4 * s, sizeof u);
        for (int t = 0; t < steps; t++) {
            for (int c = 0; c < 4; c++)
                old[c] = u[c];
            for (int c = 0; c < 4; c++)
                u[c] = old[(c + 1) % 4] * 0.5 + old[3 - c] * rates[s];
        }
        memcpy(y + 4 * s, u, sizeof u);
    }
}

static void in_place(int n, int steps, double *y, double *rates)
{
    for (int s = 0; s < n; s++)
        for (int t = 0; t < steps; t++) {
            double k[3];
            slope(y + 3 * s, rates[s], k);
            for (int c = 0; c < 3; c++)
                y[3 * s + c] += 0.01 * k[c];
        }
}

/* Each one begins where the one before has ended. */
static void overlapping(int n, int steps, double *y, double *rates)
{
    for (int s = 0; s < n; s++)
        for (int t = 0; t < steps; t++) {
            double k[3];
            slope(y + 2 * s, rates[s], k);
            for (int c = 0; c < 3; c++)
                y[2 * s + c] += 0.01 * k[c];
        }
}

static void matrices(int n, int steps, double *y, double *rates)
{
    for (int s = 0; s < n; s++) {
        double m[2][2], v[2] = { 1, rates[s] }, w[2];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                m[i][j] = y[4 * s + 2 * i + j];
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < 2; i++) {
                w[i] = 0;
                for (int j = 0; j < 2; j++)
                    w[i] += m[i][j] * v[j];
            }
            for (int i = 0; i < 2; i++)
                v[i] = w[i] * 0.75;
        }
        y[4 * s] = v[0];
        y[4 * s + 3] = v[1];
    }
}

static void partial(int n, int steps, double *y, double *rates)
{
    for (int s = 0; s < n; s++) {
        double u[3] = { 0, 0, 0 };
        if (rates[s] > 0.5)
            for (int c = 0; c < 3; c++)
                u[c] = y[3 * s + c];
        for (int t = 0; t < steps; t++)
            for (int c = 2; c >= 0; c--)
                u[c] = u[c] * 0.5 + u[2 - c];
        y[3 * s] = u[0] + u[1] + u[2];
    }
}

typedef void kernel(int, int, double *, double *);
static kernel *const kernels[] = { columns, rows,     copies, in_place, overlapping,
                                   matrices, partial };

int main(void)
{
    for (int k = 0; k < 7; k++)
        for (int n = 0; n < 36; n++)
            for (int steps = 0; steps < 4; steps++) {
                for (int alias = 0; alias < 2; alias++) {
                    for (int i = 0; i < 4 * MOST; i++)
                        y[i] = 0.125 * ((i * 7 + 3) % 29);
                    for (int i = 0; i < MOST; i++)
                        rates[i] = 0.0625 * ((i * 5 + 1) % 17);
                    kernels[k](n, 5 * steps, y, alias ? y + 3 : rates);
                    double sum = 0;
                    for (int i = 0; i < 4 * MOST; i++)
                        sum += y[i] * (1 + i % 11);
                    printf("%d %d %d %a\n", k, n, steps, sum);
                }
            }
    return 0;
}
