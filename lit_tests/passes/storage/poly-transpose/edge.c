// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffp-contract=off --emit=schedule --skip-pass=poly-transpose -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'poly-transpose{march=x86-64-v3 limit=1000}' --remarks -o %t.small 2>&1 | filecheck %s --check-prefix=SMALL
// RUN: polyopt-opt %t.mlir -p 'poly-transpose{march=x86-64-v3 limit=10}' --remarks -o %t.none 2>&1 | filecheck %s --check-prefix=NONE
// RUN: polyopt-opt %t.mlir -p 'poly-transpose{march=x86-64-v3 operations=10}' --remarks -o %t.dear 2>&1 | filecheck %s --check-prefix=DEAR

// `limit` is asked of sizes that are known at once, and of others when the loops run; what costs more
// than `operations` stays as it is. Of the columns the first four are there, up to the one that is used.

// SMALL: applied: P has its dimensions in the order 1, 0, copied in, where its elements are used often enough [poly-transpose]
// SMALL: applied: Q has its dimensions in the order 1, 0, copied in, where that takes at most 1000 bytes, where its elements are used often enough [poly-transpose]
// NONE: missed: columns stay as they are: poly-transpose: P would take 640 bytes, more than 10 [poly-transpose]
// NONE: applied: Q has its dimensions in the order 1, 0, copied in, where that takes at most 10 bytes, where its elements are used often enough [poly-transpose]
// DEAR: missed: columns stay as they are: {{.*}} [poly-transpose]
void twenty(int m, double C[restrict][20], double P[restrict][8])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 20; j++)
            C[i][j] = C[i][j] * 0.5 + P[j][3] * C[i][j] * C[i][j];
}

void any(int m, int n, double C[restrict][n], double Q[restrict][8])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            C[i][j] = C[i][j] * 0.5 + Q[j][3] * C[i][j] * C[i][j];
}
