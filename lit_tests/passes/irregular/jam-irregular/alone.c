// RUN: polyopt-cc -O3 -march=x86-64-v3 --remarks -c %s -o %t.o 2>&1 | filecheck %s

// Rows run one at a time where one needs what another has left in the same column, where that is not
// known, where each goes its own way, and where they share nothing. Loops that are static control
// parts are none of this.

// CHECK-NOT: iterations at a time
// CHECK: missed: loop i runs one iteration at a time: iterations may meet in y [jam-irregular]
void needed(int n, int m, double y[restrict n][m], const int *restrict first, const int *restrict at,
            const double *restrict v, const double *restrict w)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j + 1 < m; j++) {
            double s = 0;
            for (int p = first[j]; p < first[j + 1]; p++)
                s += v[p] * w[at[p]];
            y[i][j] = s + y[i - 1][j + 1];
        }
}

// CHECK: missed: loop i runs one iteration at a time: y and x may overlap [jam-irregular]
void overlapping(int n, int m, int l, double y[n][m], const double x[n][l], const int *restrict first,
                 const int *restrict at, const double *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = first[j]; p < first[j + 1]; p++)
                x[i][at[p]] > v[p] ? y[i][j]++ : 0;
}

// CHECK: missed: loop i runs one iteration at a time: what an iteration leaves in s is read later [jam-irregular]
double carried(int n, int l, const double x[restrict n][l], const unsigned char *restrict text, const double *restrict v)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; text[k] != 0; k++)
            s = s * 0.5 + x[i][text[k]] * v[k];
    return s;
}

// How long a row is, its number says.
void own_length(int n, int l, const double x[restrict n][l], const int *restrict first, const int *restrict at,
                const double *restrict v, double *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int p = first[i]; p < first[i + 1]; p++)
            y[i] += x[i][at[p]] * v[p];
}

// Only the letters are shared.
void little(int n, const unsigned char *restrict text, double x[restrict n][256], double w[restrict n][256],
            double z[restrict n][256], double y[restrict n][256])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; text[k] != 0; k++)
            y[i][k] = x[i][k] + w[i][k] + z[i][k] * x[i][k + 1];
}

// What is read before the loop says how long it is.
void steady(int n, int m, const int *restrict first, double x[restrict n][m], const double *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int p = first[7]; p < first[8]; p++)
            x[i][p] *= v[p];
}

// CHECK-NOT: iterations at a time
