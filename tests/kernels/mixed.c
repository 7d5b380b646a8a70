/* Elements of several types in one loop, and iterators as numbers. */

#include <stdio.h>

#define N 45

static signed char left[N][N], right[N][N];
static unsigned char picture[N][N], blurred[N][N];
static short sound[4 * N];
static unsigned short level[N];
static int product[N][N], nearest[4 * N], hits[N];
static long long energy[N];
static float points[4 * N][3], centres[7][3], single[N][N];
static double sums[N], exact[N][N], table[N][N];

static void bytes_times_bytes(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int s = 0;
            for (int k = 0; k < N; k++)
                s += left[i][k] * right[k][j];
            product[i][j] = s;
        }
}

static void nearest_centre(void)
{
    for (int i = 0; i < 4 * N; i++) {
        float least = 1e30f;
        int at = -1;
        for (int k = 0; k < 7; k++) {
            float s = 0;
            for (int d = 0; d < 3; d++) {
                float t = points[i][d] - centres[k][d];
                s += t * t;
            }
            if (s < least) {
                least = s;
                at = k;
            }
        }
        nearest[i] = at;
    }
}

static void blur(void)
{
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++)
            blurred[y][x] = (unsigned char)((picture[y][x - 1] + 2 * picture[y][x]
                                             + picture[y][x + 1] + picture[y - 1][x]) / 5);
}

static void energies(void)
{
    for (int i = 0; i < N; i++) {
        energy[i] = 0;
        for (int j = 0; j < 3 * N; j++)
            energy[i] += (long long)sound[i + j] * sound[i + j];
    }
}

static void singles_in_double(void)
{
    for (int i = 0; i < N; i++) {
        sums[i] = 0;
        for (int j = 0; j < N; j++)
            sums[i] += single[i][j];
        for (int j = 0; j < N; j++)
            exact[i][j] = single[i][j] / (sums[i] + 3.0 * N);
    }
}

static void rounded(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            single[i][j] = (float)(exact[i][j] * 7 + (int)(exact[j][i] * 1000));
}

static void numbers(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            table[i][j] = (double)(i * 3 - j) * 0.5 + table[i][j];
}

static void levels(void)
{
    for (int i = 0; i < N; i++)
        level[i] = (unsigned short)(sound[2 * i] * 3 + sound[2 * i + 1] - sound[N - i]);
}

static void last_above(void)
{
    for (int i = 0; i < N; i++) {
        int at = -i;
        for (int j = 0; j < N; j++)
            if (table[i][j] > 3.0)
                at = j + i;
        hits[i] = at;
    }
}

static void show(const char *name, double sum)
{
    printf("%s %.17g\n", name, sum);
}

#define SHOW(array, count) do { double s = 0; \
    for (int i = 0; i < (count); i++) s = s * 0.75 + (double)(&array)[i]; show(#array, s); } while (0)

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            left[i][j] = (signed char)(i * 37 + j * 11);
            right[i][j] = (signed char)(i * 5 - j * 53);
            picture[i][j] = (unsigned char)(i * 91 + j * 7);
            single[i][j] = (float)((i * 29 + j * 13) % 101) / 7;
            table[i][j] = (i * 17 + j * 5) % 23 - 9.0;
        }
    for (int i = 0; i < 4 * N; i++) {
        sound[i] = (short)(i * 7919);
        for (int d = 0; d < 3; d++)
            points[i][d] = (float)((i * 31 + d * 17) % 97);
    }
    for (int k = 0; k < 7; k++)
        for (int d = 0; d < 3; d++)
            centres[k][d] = (float)((k * 41 + d * 19) % 97);
    bytes_times_bytes();
    nearest_centre();
    blur();
    energies();
    singles_in_double();
    rounded();
    numbers();
    levels();
    last_above();
    SHOW(product[0][0], N * N);
    SHOW(nearest[0], 4 * N);
    SHOW(blurred[0][0], N * N);
    SHOW(energy[0], N);
    SHOW(sums[0], N);
    SHOW(exact[0][0], N * N);
    SHOW(single[0][0], N * N);
    SHOW(table[0][0], N * N);
    SHOW(level[0], N);
    SHOW(hits[0], N);
    return 0;
}
