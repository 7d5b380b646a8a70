// RUN: polyopt-cc -O3 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 --emit=poly -o - %s | filecheck %s --check-prefix=POLY

// Columns around rows whose lengths data tell go inside, where each row's elements are neighbours:
// with dependences from row to row, with rows of one dimension, with a variable in each iteration,
// past two loops. Then all columns of a row are one static control part.

// CHECK: applied: loop j changes places with loop i [permute-irregular]
// CHECK: applied: loop i changes places with loop j [permute-irregular]
// CHECK: applied: loop c changes places with loop r [permute-irregular]
// CHECK: applied: loop d changes places with loop s [permute-irregular]

// POLY-LABEL:  func.func @skyline
// POLY:        ^{{.*}}(%i{{.*}}: i64):
// POLY-NEXT:     arith.cmpi slt, %i{{.*}}, %n : i64
// POLY:        poly.scop "skyline"
// POLY:          domain <"{{.*}}[j, k] : 0 <= j < m and
void skyline(long n, int m, const int *restrict first, double l[restrict n][n], double x[restrict n][m])
{
    for (int j = 0; j < m; j++)
        for (long i = 0; i < n; i++) {
            for (long k = first[i]; k < i; k++)
                x[i][j] -= l[i][k] * x[k][j];
            x[i][j] /= l[i][i];
        }
}

// POLY:        poly.scop "columns"
// POLY:          domain <"{{.*}}[c, p] : {{.*}} c
void columns(int n, int m, const int *restrict row, const int *restrict at, const float *restrict v,
             const float *restrict x, float *restrict y)
{
    for (int c = 0; c < m; c++)
        for (int r = n - 1; r >= 0; r -= 2) {
            float s = 0;
            for (int p = row[r]; p < row[r + 1]; p++)
                s += v[p] * x[at[p] * m + c];
            y[r * m + c] = s;
        }
}

// POLY:        poly.scop "deep"
// POLY:          domain <"{{.*}}[d, t] : {{.*}} d
void deep(int n, int h, int w, const int *restrict length, double x[restrict 64][n][h][w], double y[restrict n][h][w])
{
    for (int c = 0; c < h; c++)
        for (int d = 0; d < w; d++)
            for (int s = 0; s < n; s++)
                for (int t = 0; t < length[s]; t++)
                    y[s][c][d] += x[t][s][c][d];
}
