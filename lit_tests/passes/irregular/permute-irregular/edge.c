// RUN: polyopt-cc -O3 -ffp-contract=off --emit=prepared -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'permute-irregular{gain=0.0}' --remarks 2>&1 | filecheck %s --check-prefix=NONE
// RUN: polyopt-opt %t.mlir -p 'permute-irregular{gain=1000.0}' --remarks -o %t.all 2>&1 | filecheck %s --check-prefix=ALL
// RUN: polyopt-cc -O3 --remarks --poly=identity --emit=prepared -o - %s 2>&1 | filecheck %s --check-prefix=NONE

// `gain` says how much better the other order has to be: with 0 none is, with a large number all that
// may be exchanged is, once. Loops that are to stay in the order of the source do.

// NONE-NOT: changes places
// NONE: func.func @worse
// NONE-NOT: changes places
// ALL: applied: loop i changes places with loop j [permute-irregular]
// ALL: applied: loop j changes places with loop i [permute-irregular]
// ALL-NOT: changes places
void worse(int n, int m, const int *restrict length, double x[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < length[j]; k++)
                x[i][j] += k;
}
