/* Arrays of variable length: local ones, parameters, pointers to them, their sizes. */
#include <stdio.h>
#include <stdlib.h>

static int calls;
static int counted(int n) {
    calls++;
    return n;
}

static double sum2(int n, int m, double a[n][m]) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j];
    return s;
}

static int sum3(int n, int m, int k, int a[n][m + 1][2 * k]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= m; j++)
            for (int l = 0; l < 2 * k; l++) s += a[i][j][l] * (l + 1);
    return s + sizeof a[0] / sizeof(int);
}

static void transpose(int n, int m, const double a[restrict n][m], double b[restrict m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j][i] = a[i][j];
}

static int changed(int n, int a[n][n]) {
    int rows = n;
    n = 1;
    return a[rows - 1][rows - 1] + n;
}

static int loop(int rounds) {
    int total = 0;
    for (int i = 1; i <= rounds; i++) {
        int a[i * 10];
        for (int j = 0; j < i * 10; j++) a[j] = j;
        if (i % 3 == 0) continue;
        if (i == 50000) break;
        total += a[i * 10 - 1] % 7 + sizeof a / sizeof *a % 5;
    }
    return total;
}

static int jump(int n) {
    int rounds = 0;
again:;
    int a[n * 1000];
    a[n * 1000 - 1] = rounds;
    if (++rounds < 20000) goto again;
    {
        int b[n];
        b[0] = 5;
        if (n) goto out;
        b[0] = 6;
    }
out:
    return a[n * 1000 - 1] + rounds;
}

int rows[10][7], seven = 7;

/* A pointer to an array of variable length may be static, the array may not (C 6.7.6.2). */
static int row_at(int m, int i, int j) {
    static int (*q)[m] = rows;
    return q[i][j] + (int)(sizeof *q / sizeof(int)) * 1000;
}

static int kept(int m) {
    static int (*p)[counted(m)];
    if (!p) p = (int (*)[m]) & rows[1];
    return p[1][0] + (int)sizeof(*p);
}

static int statics(int m, int C[m][m]) {
    typedef int square[m][m];
    square x;
    static int (*q)[7] = &rows[0];
    static int (*const r)[m] = &rows[2];
    int (*s)[seven] = q;
    return (C == 0) + s[1][2] + r[0][1] + (int)sizeof x;
}

int main(int argc, char **argv) {
    int n = argc + 3, m = argc + 4;
    double a[n][m], b[m][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = i * 10 + j;
    printf("%g %zu %zu\n", sum2(n, m, a), sizeof a, sizeof a[0]);
    transpose(n, m, a, b);
    printf("%g %g\n", b[4][3], sum2(m, n, b));
    int c[2][n + 1][2 * m];
    for (int i = 0; i < 2 * (n + 1) * 2 * m; i++) (&c[0][0][0])[i] = i % 11;
    printf("%d\n", sum3(2, n, m, c));

    double(*p)[m] = malloc(sizeof(double[n][m]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) p[i][j] = a[i][j] * 2;
    double(*q)[n][m] = (double(*)[n][m])p;
    printf("%g %g %zu %zu\n", p[3][4], (*q)[2][1], sizeof *p, sizeof *q);
    n = 100;
    printf("%g %zu %zu\n", p[3][4], sizeof a, sizeof *q);
    p++;
    printf("%g %td\n", p[0][1], (double *)p - &(*q)[0][0]);
    free(p - 1);

    typedef int row[argc + 2];
    argc = 50;
    row r, rs[2];
    printf("%zu %zu\n", sizeof r, sizeof rs);
    rs[1][2] = 7;
    printf("%d\n", rs[1][2]);
    printf("%zu ", sizeof(int[counted(4)]));
    printf("%d\n", calls);
    int sq[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    printf("%d\n", changed(3, sq));
    printf("%d %d\n", loop(2000), jump(3));
    for (int k = 1; k < 4; k++) {
        char text[k + 1];
        for (int j = 0; j < k; j++) text[j] = 'a' + j;
        text[k] = 0;
        printf("%s ", text);
    }
    int *count = &n, several[*count], pairs[2][*count + 1];
    printf("%zu %zu\n", sizeof several, sizeof pairs);
    struct edge { int from, to; double weight; } edges[n][2], (*row_of_edges)[2] = edges + 1;
    edges[1][1].weight = 2.5;
    edges[n - 1][0] = (struct edge){1, 2, 0.5};
    printf("%zu %g %d\n", sizeof edges, row_of_edges[0][1].weight, edges[n - 1]->to);
    int one[(int){3}];
    one[2] = 8;
    printf("%d\n", one[2]);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 7; j++) rows[i][j] = i * 10 + j;
    printf("%d %d %d\n", row_at(7, 3, 4), row_at(5, 1, 1), row_at(10, 2, 2));
    calls = 0;
    printf("%d", kept(7));
    printf(" %d", kept(3));
    printf(" %d\n", calls);
    printf("%d\n", statics(7, 0));
    return 0;
}
