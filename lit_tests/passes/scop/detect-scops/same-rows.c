// The row of what is read in front of a loop and that of what the loop stores is one array where both
// come from one place: `a[r]` twice is no reason to ask whether the rows lie apart, which they do not.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-cc -O3 -fno-strict-aliasing --emit=poly %s -o - | filecheck %s

#include <stdio.h>

// CHECK-LABEL: func.func @eliminate(
// CHECK:         cmem.distinct_objects %{{[^,]*}}, %{{[^,]*}} : memref<?xf64>, memref<?xf64> ->
// CHECK:         func.return
void eliminate(int n, int c, double **a)
{
    for (int r = 0; r < n; r++)
        if (r != c) {
            double f = a[r][c];
            for (int j = c; j <= n; j++)
                a[r][j] -= f * a[c][j];
        }
}

// Rows of rows: what is behind one pointer, and behind two.
void deep(int n, int c, double ***a)
{
    for (int r = 0; r < n; r++) {
        double f = a[c][r][0] + a[r & 1][c][1];
        for (int j = 0; j < n; j++)
            a[c][r][j] += f * a[1 - c][r][j];
    }
}

int main(void)
{
    double x[8][9], y[8][9], *rows[8], *others[8], **both[2] = {rows, others};
    for (int i = 0; i < 8; i++) {
        rows[i] = x[i], others[i] = i == 3 ? x[5] : y[i];
        for (int j = 0; j < 9; j++)
            x[i][j] = 1.0 / (1 + i + j), y[i][j] = i - j;
    }
    for (int c = 0; c < 8; c++)
        eliminate(8, c, rows);
    rows[2] = rows[6];
    eliminate(7, 6, rows);
    eliminate(7, 2, rows);
    deep(8, 0, both), deep(8, 1, both);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 9; j++)
            printf("%a %a\n", x[i][j], y[i][j]);
}
