/* Small loops over windows, inside of big ones. Each function is one static control part. */

#include <stdio.h>

#define N 37

static double a[N + 8], b[N + 8], A[N][N], B[N][N], C[N][N], V[6][N][N], w[5][5];
static float rows[N][3], turn[3][3], image[4][N][N], filters[6][4][3][3], maps[6][N][N];
static int count[N][N], best[N];

static void filter(void)
{
    for (int y = 2; y < N - 2; y++)
        for (int x = 2; x < N - 2; x++) {
            double s = 0;
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 5; j++)
                    s += A[y + i - 2][x + j - 2] * w[i][j];
            B[y][x] = s;
        }
}

static void stencil(void)
{
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                B[i][j] = 0;
                for (int p = -1; p <= 1; p++)
                    for (int q = -1; q <= 1; q++)
                        B[i][j] += A[i + p][j + q];
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = B[i][j] / 9;
    }
}

static void convolution(void)
{
    for (int f = 0; f < 6; f++)
        for (int y = 0; y < N - 2; y++)
            for (int x = 0; x < N - 2; x++) {
                maps[f][y][x] = 0;
                for (int c = 0; c < 4; c++)
                    for (int r = 0; r < 3; r++)
                        for (int s = 0; s < 3; s++)
                            maps[f][y][x] += image[c][y + r][x + s] * filters[f][c][r][s];
            }
}

static void greatest(void)
{
    for (int y = 0; y < N / 2; y++)
        for (int x = 0; x < N / 2; x++) {
            double m = A[2 * y][2 * x];
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    if (A[2 * y + i][2 * x + j] > m)
                        m = A[2 * y + i][2 * x + j];
            C[y][x] = m;
        }
}

static void rotated(void)
{
    for (int y = 0; y < N; y++) {
        float turned[3];
        for (int i = 0; i < 3; i++) {
            turned[i] = 0;
            for (int j = 0; j < 3; j++)
                turned[i] += turn[i][j] * rows[y][j];
        }
        for (int i = 0; i < 3; i++)
            rows[y][i] = turned[i];
    }
}

/* Each of the window's elements is written, too: later windows see it. */
static void smeared(void)
{
    for (int y = 0; y < N; y++)
        for (int i = 4; i > 0; i--) {
            a[y + i] = a[y + i] * 0.5 + a[y + i - 1] * b[y];
            b[y] += a[y + i - 1];
        }
}

static void planes(void)
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            double s = 0;
            for (int k = 0; k < 6; k++)
                s += V[k][y][x];
            for (int k = 0; k < 6; k++)
                V[k][y][x] = V[k][y][x] * 0.75 + s * (k - 2.5);
        }
}

static void counted(void)
{
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++) {
            int p = -1, n = 0;
            do {
                n += (count[y + p][x] & 3) * (p + 2) + count[y][x + p] % 5;
                p += 2;
            } while (p < 2);
            count[y][x] = n + p;
        }
}

static void nearest(void)
{
    for (int y = 0; y < N; y++) {
        int k = -1;
        double least = 1e30;
        for (int c = 0; c < 6; c++) {
            double distance = 0;
            for (int d = 0; d < 3; d++)
                distance += (rows[y][d] - turn[c % 3][d]) * (rows[y][d] - turn[c % 3][d]) + c;
            if (distance < least) {
                least = distance;
                k = c;
            }
        }
        best[y] = k;
    }
}

static void show(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < N; i++) {
        double s = a[i] + b[i] + best[i], t = rows[i][0] + rows[i][1] * 2 + rows[i][2] * 3;
        for (int j = 0; j < N; j++) {
            s += A[i][j] * (j + 1) + B[i][j] + C[i][j] * j + count[i][j];
            for (int k = 0; k < 6; k++)
                t += V[k][i][j] * (k + 1) + maps[k][i][j] * (j + k);
        }
        printf(" %a %a", s, t);
    }
    printf("\n");
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (i * 7 % 11) / 11.0;
        b[i] = (i * 5 % 13) / 13.0 - 0.5;
        for (int j = 0; j < N; j++) {
            A[i][j] = (i * 3 + j * j) % 17 / 17.0;
            count[i][j] = i * j % 19;
            for (int k = 0; k < 6; k++)
                V[k][i][j] = (i + j * k) % 7 / 7.0;
            for (int k = 0; k < 4; k++)
                image[k][i][j] = (i * k + j) % 23 / 23.0;
        }
        for (int j = 0; j < 3; j++)
            rows[i][j] = (i + j * 5) % 29 / 29.0;
    }
    for (int i = 0; i < 25; i++)
        w[i / 5][i % 5] = (i * 7 % 25) / 25.0;
    for (int i = 0; i < 9; i++)
        turn[i / 3][i % 3] = (i * 5 % 9) / 9.0;
    for (int i = 0; i < 216; i++)
        filters[i / 36][i / 9 % 4][i / 3 % 3][i % 3] = (i * 11 % 31) / 31.0;
    filter();
    show("filter");
    stencil();
    show("stencil");
    convolution();
    show("convolution");
    greatest();
    show("greatest");
    rotated();
    show("rotated");
    smeared();
    show("smeared");
    planes();
    show("planes");
    counted();
    show("counted");
    nearest();
    show("nearest");
    return 0;
}
