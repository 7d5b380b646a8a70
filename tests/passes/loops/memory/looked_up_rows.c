/* Rows that nests look up: tables of matrices, letters, rows that are written,
   and indices that the nest itself writes. All numbers are small integers and halves, so that sums
   are exact in any order. */

#include <stdio.h>

#define TABLES 12

static double table[TABLES][9][8], right[TABLES][8][11], result[TABLES][9][11];
static float letters[50][32], weights[32][32], words[40][32];
static int index_of[64], other[64], moving[64][4];

__attribute__((noinline)) void products(int n, int rows, int columns, int depth)
{
    for (int p = 0; p < n; p++)
        for (int x = 0; x < rows; x++)
            for (int y = 0; y < columns; y++)
                for (int z = 0; z < depth; z++)
                    result[p][x][y] += table[index_of[p]][x][z] * right[other[index_of[p]]][z][y];
}

__attribute__((noinline)) void embedded(int n, int d, int e)
{
    for (int p = 0; p < n; p++)
        for (int j = 0; j < e; j++) {
            float sum = 0;
            for (int k = 0; k < d; k++)
                sum += letters[index_of[p]][k] * weights[k][j];
            words[p][j] = sum;
        }
}

__attribute__((noinline)) void scattered(int n, int rows, int columns)
{
    for (int p = 0; p < n; p++)
        for (int x = 0; x < rows; x++)
            for (int y = 0; y < columns; y++)
                table[index_of[p]][x][y] = table[other[p]][x][y] * .5 + right[p][x % 8][y];
}

__attribute__((noinline)) void written(int n, int rows)
{
    for (int p = 0; p < n; p++)
        for (int x = 0; x < rows; x++)
            for (int y = 0; y < 4; y++) {
                moving[p][y] = (moving[p][y] + x) % TABLES;
                result[p][x][y] += table[moving[p][1]][x][y];
            }
}

__attribute__((noinline)) void chosen(int n, int rows, int columns, int back)
{
    for (int p = 0; p < n; p++) {
        int k = p - back < 0 ? p - back + n : p - back;
        for (int x = 0; x < rows; x++)
            for (int y = 0; y < columns; y++)
                if (y != 2)
                    result[p][x][y] -= table[k][x][y] + table[index_of[k]][x][7 - y];
    }
}

static void fill(void)
{
    double *t = &table[0][0][0], *r = &right[0][0][0], *s = &result[0][0][0];
    for (int i = 0; i < TABLES * 9 * 8; i++)
        t[i] = i * 7 % 17 - 8;
    for (int i = 0; i < TABLES * 8 * 11; i++)
        r[i] = i * 5 % 13 - 6;
    for (int i = 0; i < TABLES * 9 * 11; i++)
        s[i] = i % 5;
    for (int i = 0; i < 1600; i++)
        letters[i / 32][i % 32] = i % 19 - 9;
    for (int i = 0; i < 1024; i++)
        weights[i / 32][i % 32] = i % 23 - 11;
    for (int i = 0; i < 64; i++) {
        index_of[i] = (i * 7 + 3) % TABLES;
        other[i] = (i * 5 + 1) % TABLES;
        for (int j = 0; j < 4; j++)
            moving[i][j] = (i + 3 * j) % TABLES;
    }
}

static void print(const char *name, int a, int b, int c)
{
    double sum = 0;
    for (int i = 0; i < TABLES * 9 * 11; i++)
        sum += (&result[0][0][0])[i] * (i % 31);
    for (int i = 0; i < TABLES * 9 * 8; i++)
        sum += (&table[0][0][0])[i] * (i % 37);
    for (int i = 0; i < 40 * 32; i++)
        sum += (&words[0][0])[i] * (i % 43);
    for (int i = 0; i < 256; i++)
        sum += (&moving[0][0])[i] * (i % 47);
    printf("%s %d %d %d: %.17g\n", name, a, b, c, sum);
}

int main(void)
{
    for (int n = 0; n <= TABLES; n += 4)
        for (int rows = 0; rows <= 9; rows += 3)
            for (int columns = 0; columns <= 8; columns++) {
                fill();
                products(n, rows, columns + 3 * (columns == 8), columns);
                print("products", n, rows, columns);
                fill();
                embedded(n, rows * 3, columns * 4);
                print("embedded", n, rows, columns);
                fill();
                scattered(n, rows, columns);
                print("scattered", n, rows, columns);
                fill();
                written(n, rows);
                print("written", n, rows, columns);
                fill();
                chosen(n, rows, columns, columns % 2);
                print("chosen", n, rows, columns);
            }
    return 0;
}
