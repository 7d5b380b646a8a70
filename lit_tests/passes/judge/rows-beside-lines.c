// RUN: polyopt-cc -O3 -ffast-math -march=znver4 --remarks -c %s -o %t.o 2>&1 | filecheck %s

// Rows that begin four floats behind a line: vectors of LLVM's lie across two, those that begin under a mask
// do not. Both wait for the same memory, which may be nearer than it seems: what keeps the core less busy stays.
// CHECK:     rows-beside-lines.c:{{[0-9]+}}:{{.*}} what was made of the loops is kept

#define N 120

void waves(int n, float (*restrict a)[N][N], float (*restrict b)[N][N], float (*restrict c)[N][N])
{
    for (int i = 4; i < n - 4; i++)
        for (int j = 4; j < n - 4; j++)
            for (int k = 4; k < N - 4; k++) {
                float s = 3 * b[i][j][k];
                s += 2 * (b[i - 1][j][k] + b[i + 1][j][k] + b[i][j - 1][k] + b[i][j + 1][k]);
                s += 4 * (b[i - 2][j][k] + b[i + 2][j][k] + b[i][j - 2][k] + b[i][j + 2][k]);
                s += 5 * (b[i - 3][j][k] + b[i + 3][j][k] + b[i][j - 3][k] + b[i][j + 3][k]);
                s += 7 * (b[i - 4][j][k] + b[i + 4][j][k] + b[i][j - 4][k] + b[i][j + 4][k]);
                s += b[i][j][k - 4] + b[i][j][k - 1] + b[i][j][k + 1] + b[i][j][k + 4];
                a[i][j][k] = 2 * b[i][j][k] - a[i][j][k] + c[i][j][k] * s;
            }
}
