// RUN: polyopt-cc -O3 --skip-pass=jam-irregular --skip-pass=permute-irregular --emit=prepared -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'jam-irregular{factor=2}' --remarks -o %t.two 2>&1 | filecheck %s --check-prefix=TWO
// RUN: polyopt-opt %t.mlir -p 'jam-irregular{factor=4}' --remarks -o %t.four 2>&1 | filecheck %s --check-prefix=FOUR
// RUN: polyopt-opt %t.mlir -p 'jam-irregular{factor=1}' --remarks -o %t.one 2>&1 | filecheck %s --check-prefix=ONE --allow-empty
// RUN: not polyopt-opt %t.mlir -p 'jam-irregular{factor=3}' 2>&1 | filecheck %s --check-prefix=THREE
// RUN: polyopt-cc -O3 --poly=poly+ast --stages=registers=6x1 --skip-pass=permute-irregular --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=STAGE
// RUN: polyopt-cc -O3 --poly=identity --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=ONE --allow-empty

// Factors that a person gives are taken, as far as rows that need each other allow: (1, 1) is carried
// by the loop inside as well, (2, -1) is two rows away.

// TWO: applied: loop t runs 2 iterations at a time
// TWO: applied: loop i runs 2 iterations at a time
// FOUR: applied: loop t runs 4 iterations at a time
// FOUR: missed: loop i runs one iteration at a time: iterations may meet in y
// ONE-NOT: at a time
// THREE: jam-irregular: expected one of 1, 2, 4, 6, 8, not 3
// STAGE: applied: loop t runs 6 iterations at a time
// STAGE: missed: loop i runs one iteration at a time
void shifted(int n, int m, double y[restrict n][m], const int *restrict first, const double *restrict v)
{
    for (int t = 1; t < n; t++)
        for (int j = 1; j < m; j++)
            for (int p = first[j]; p < first[j + 1]; p++)
                y[t][j] += v[p] * y[t - 1][j - 1];
}

void far(int n, int m, double y[restrict n][m], const int *restrict first, const double *restrict v)
{
    for (int i = 2; i < n; i++)
        for (int j = 1; j < m; j++)
            for (int p = first[j]; p < first[j + 1]; p++)
                y[i][j - 1] += v[p] * y[i - 2][j];
}
