// Long rows of more than L1 holds, beside lines of the cache, go one after the other: each aligns its
// own stores. Rows on lines run together, and so do a few that L1 holds.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --cache=off --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math -DLONG=240 --cache=off --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix EVEN
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math -DROWS=8 --cache=off --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix EVEN

#ifndef LONG
#define LONG 250
#endif
#ifndef ROWS
#define ROWS 600
#endif
float x[ROWS][LONG], y[ROWS][LONG], g[LONG];

// CHECK-NOT: rows together
// CHECK:     vectors of 16
// EVEN:      4 rows together
void scale(int r, int c)
{
    for (int i = 0; i < r; i++) {
        float s = 0;
        for (int j = 0; j < c; j++)
            s += x[i][j] * x[i][j];
        for (int j = 0; j < c; j++)
            y[i][j] = g[j] * (x[i][j] * s);
    }
}
