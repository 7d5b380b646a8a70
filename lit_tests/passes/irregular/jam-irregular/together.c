// RUN: polyopt-cc -O3 -march=x86-64-v3 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 --skip-pass=jam-irregular --emit=prepared -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'jam-irregular{factor=2}' | filecheck %s --check-prefix=TWO
// RUN: polyopt-cc -O3 -march=x86-64-v3 -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=THREADS
// RUN: polyopt-cc -O3 -DMAIN %s -o %t.exe && %t.exe | filecheck %s --check-prefix=RESULT

// Several rows run through what data end side by side: what they share is loaded once, each has its
// own sum, and each row of the tile is right. The loop as it was does the rest: 7 rows in tiles of four
// and of one.

// CHECK: applied: loop i runs 4 iterations at a time [jam-irregular]
// CHECK: applied: loop r runs 4 iterations at a time [jam-irregular]
// CHECK-NOT: iterations at a time

// What a thread is given runs side by side, too.
// THREADS: applied: loop i in threads: doall
// THREADS: applied: loop i runs 4 iterations at a time [jam-irregular]

// TWO-LABEL: func.func @dense_by_sparse
// TWO:         %[[NEXT:.*]] = arith.addi %[[I:.*]], %{{.*}} : i32
// TWO:         %[[BOTH:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i1
// TWO:         cf.cond_br %[[BOTH]], ^{{.*}}, ^[[REST:.*]]
// TWO:         memref.load %at{{.*}}
// TWO:         memref.load %x{{.*}}
// TWO:         memref.load %v{{.*}}
// TWO-NOT:     memref.load %v
// TWO:         memref.load %x{{.*}}
// TWO-NOT:     memref.load %v
// TWO:         cf.br
void dense_by_sparse(int n, int m, int l, double y[restrict n][m], const double x[restrict n][l],
                     const int *restrict first, const int *restrict at, const double *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int p = first[j]; p < first[j + 1]; p++)
                s += x[i][at[p]] * v[p];
            y[i][j] = s;
        }
}

// A text ends where it does; rows downward in steps.
void letters(int n, const unsigned char *restrict text, const double *restrict w, double x[restrict n][256],
             double *restrict y)
{
    for (int r = n - 1; r >= 1; r -= 2) {
        double s = 0;
        for (int k = 0; text[k] != 0; k++)
            s += x[r][text[k]] * w[k];
        y[r] = s;
    }
}

#ifdef MAIN
#include <stdio.h>
int main(void)
{
    static double x[7][256], y[7][5], z[7];
    int first[6] = {0, 2, 2, 5, 6, 9}, at[9] = {3, 0, 2, 1, 4, 4, 0, 3, 2};
    double v[9], w[20];
    for (int i = 0; i < 20; i++)
        w[i] = i % 5 - 1;
    for (int p = 0; p < 9; p++)
        v[p] = p + 1;
    for (int i = 0; i < 7; i++)
        for (int c = 0; c < 256; c++)
            x[i][c] = (i + 1) * (c % 11);
    dense_by_sparse(7, 5, 256, y, x, first, at, v);
    // RESULT: 3 0 30 24 42
    // RESULT-NEXT: 6 0 60 48 84
    // RESULT-NEXT: 9 0 90 72 126
    // RESULT-NEXT: 12 0 120 96 168
    // RESULT-NEXT: 15 0 150 120 210
    // RESULT-NEXT: 18 0 180 144 252
    // RESULT-NEXT: 21 0 210 168 294
    for (int i = 0; i < 7; i++)
        printf("%g %g %g %g %g\n", y[i][0], y[i][1], y[i][2], y[i][3], y[i][4]);
    letters(7, (const unsigned char *)"sparse rows", w, x, z);
    // RESULT: 0 0 159 0 265 0 371
    for (int i = 0; i < 7; i++)
        printf("%g%c", z[i], i < 6 ? ' ' : '\n');
}
#endif
