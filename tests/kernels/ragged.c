/* Loops that begin and end where data say, around and inside of such that do not: rows of a sparse
   matrix, segments, skylines, in every order of the loops. */

#include <stdio.h>
#include <string.h>

#define N 70
#define M 37
#define P 700

static int row[N + 1], column[P], first[N], length[N];
static double value[P], A[N][N], B[N][M], C[N][M], X[N][M], Y[N];
static int table[P];

static int bounded(int i, int n) { return i < n ? i : n; }

static void row_element_entry(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int p = row[i]; p < row[i + 1]; p++)
                s += value[p] * B[column[p]][j];
            C[i][j] = s;
        }
}

static void row_entry_element(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int p = row[i]; p < row[i + 1]; p++)
            for (int j = 0; j < m; j++)
                C[i][j] += value[p] * B[column[p]][j];
}

static void element_row_entry(int n, int m)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            C[i][j] *= 0.5;
            for (int p = row[i]; p < row[i + 1]; p++)
                C[i][j] += value[p] * B[column[p]][j];
        }
}

static void skyline(int n, int m)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            for (int k = first[i]; k < i; k++)
                X[i][j] -= A[i][k] * X[k][j];
            X[i][j] /= 2 + A[i][i];
        }
}

/* Each row needs those that the matrix names, in front of it. */
static void sparse_solve(int n, int m)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            double s = X[i][j];
            for (int p = row[i]; p < row[i + 1]; p++)
                if (column[p] < i)
                    s -= value[p] * X[column[p]][j];
            X[i][j] = s * 0.25;
        }
}

/* Rows meet where data say, each column by itself. */
static void scattered(int n, int m)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            for (int p = row[i]; p < row[i + 1]; p++)
                X[column[p]][j] = X[i][j] * 0.5 + value[p];
}

/* An element needs its neighbour of the row behind, in the column before: (1, -1). */
static void against_each_other(int n, int m)
{
    for (int j = 1; j < m; j++)
        for (int i = 0; i + 1 < n; i++)
            for (int k = 0; k < length[i]; k++)
                X[i][j] += X[i + 1][j - 1] * 0.125 + k;
}

/* The same with (1, 1). */
static void with_each_other(int n, int m)
{
    for (int j = 1; j < m; j++)
        for (int i = 1; i < n; i++)
            for (int k = 0; k < length[i]; k++)
                X[i][j] += X[i - 1][j - 1] * 0.125 + k;
}

static void greatest(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double best = -1e30;
            for (int r = bounded(first[i], n); r < bounded(first[i] + length[i], n); r++)
                if (B[r][j] > best)
                    best = B[r][j];
            C[i][j] = best;
        }
}

/* What is written may be what says where the loop begins. */
static void counted_through(int n, int m, int *to, const int *from)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = from[i]; p < 9; p++)
                to[i * m + j] += p & 3;
}

static void apart(int n, int m) { counted_through(n, m, table, first); }
static void on_itself(int n, int m) { counted_through(n, m < 9 ? m : 9, table, table + 5); }

/* What the last iteration of all leaves is read behind. */
static void column_sums(int n, int m)
{
    double last = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            last = 0;
            for (int k = 0; k < length[i]; k++)
                last += A[i][k] * B[k][j];
            C[i][j] = last;
        }
    Y[0] += last;
}

/* Carried from row to row. */
static void carried(int n, int m)
{
    double s = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < length[i]; k++)
                s = s * 0.5 + A[i][k] * B[k][j];
            C[i][j] = s;
        }
}

/* Lower and upper ends of both loops. */
static void triangle(int n, int m)
{
    for (int j = 0; j < m; j++)
        for (int i = j; i < n; i++)
            for (int k = 0; k < length[i]; k++)
                C[i][j] += A[i][k] * B[k][j];
}

static void fill(void)
{
    for (int i = 0, p = 0; i <= N; i++) {
        row[i] = p;
        p += (i * 7) % 19;
    }
    for (int p = 0; p < P; p++) {
        column[p] = (p * 31 + 7) % N;
        value[p] = (p * 5 % 13 - 6) * 0.25;
        table[p] = p * 11 % 12;
    }
    for (int i = 0; i < N; i++) {
        first[i] = i > 20 ? i - (i * 3) % 21 : 0;
        length[i] = (i * 5) % 23;
        Y[i] = i;
        for (int j = 0; j < N; j++)
            A[i][j] = ((i * j) % 7 - 3) * 0.125;
        for (int j = 0; j < M; j++) {
            B[i][j] = (i * 3 + j * 5) % 17 - 8;
            C[i][j] = i - j;
            X[i][j] = (i + 2 * j) % 9 - 4;
        }
    }
    B[3][5] = -0.0;
}

static void show(const char *name)
{
    double sum = 0;
    long numbers = 0;
    for (int i = 0; i < N; i++) {
        sum = sum * 0.75 + Y[i];
        for (int j = 0; j < M; j++)
            sum = sum * 0.75 + (C[i][j] == C[i][j] ? C[i][j] : 3) + (X[i][j] == X[i][j] ? X[i][j] * 3 : 1);
    }
    for (int p = 0; p < P; p++)
        numbers = numbers * 3 % 1000003 + table[p];
    printf("%s %a %ld\n", name, sum, numbers);
}

#define RUN(f)                                                                                     \
    for (int n = 0; n < 4; n++)                                                                    \
        for (int m = 0; m < 4; m++) {                                                              \
            fill();                                                                                \
            f(rows[n], columns[m]);                                                                \
            show(#f);                                                                              \
        }

int main(void)
{
    static const int rows[4] = {0, 1, 23, N}, columns[4] = {0, 1, 5, M};
    RUN(row_element_entry)
    RUN(row_entry_element)
    RUN(element_row_entry)
    RUN(skyline)
    RUN(sparse_solve)
    RUN(scattered)
    RUN(against_each_other)
    RUN(with_each_other)
    RUN(greatest)
    RUN(apart)
    RUN(on_itself)
    RUN(column_sums)
    RUN(carried)
    RUN(triangle)
    return 0;
}
