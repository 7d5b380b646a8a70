// RUN: polyopt-cc -O3 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -DTHREADS -fparallel=2 --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=THREADS

// Loops keep their order where an iteration needs one that would come later, where that is not
// known, where the numbers of one are counted by the other, and where the other order is no better.

// The column before, the row behind: (1, -1).
// CHECK-NOT: changes places
// CHECK: missed: loops j and i keep their order: iterations may meet in x [permute-irregular]
void behind(int n, int m, const int *restrict length, double x[restrict n][m])
{
    for (int j = 1; j < m; j++)
        for (int i = 0; i < n - 1; i++)
            for (int k = 0; k < length[i]; k++)
                x[i][j] += x[i + 1][j - 1] * k;
}

// CHECK: missed: loops j and i keep their order: iterations may meet in y [permute-irregular]
void scattered(int n, int m, const int *restrict row, const int *restrict to, double x[restrict n][m], double *restrict y)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            for (int p = row[i]; p < row[i + 1]; p++)
                y[to[p]] += x[i][j];
}

// CHECK: missed: loops j and i keep their order: y and x may overlap [permute-irregular]
void overlapping(int n, int m, const int *restrict length, double *x, double *y)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < length[i]; k++)
                y[i * 70 + j] += x[i * 70 + j] * k;
}

// CHECK: missed: loops j and i keep their order: what an iteration leaves in s is read later [permute-irregular]
void carried(int n, int m, const int *restrict length, double x[restrict n][m], double *restrict y)
{
    double s = 1;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < length[i]; k++)
                s = s * 0.5 + x[i][j];
    *y = s;
}

// How far i goes, j says.
void triangle(int n, int m, const int *restrict length, double x[restrict n][m])
{
    for (int j = 0; j < m; j++)
        for (int i = j; i < n; i++)
            for (int k = 0; k < length[i]; k++)
                x[i][j] += k;
}

// The row of v and of at for a column is few lines, one behind the other; of y a column is one for each.
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

// Neighbours are inside as it is.
void as_it_is(int n, int m, const int *restrict length, double x[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < length[j]; k++)
                x[i][j] += k;
}

// CHECK-NOT: changes places

// Columns that are independent run in threads, rows that need others do not.
// THREADS: missed: loops j and i keep their order: iterations of j can run in threads [permute-irregular]
// THREADS: applied: loop j in threads: doall
#ifdef THREADS
void solve(int n, int m, const int *restrict first, double x[restrict n][m])
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            for (int k = first[i]; k < i; k++)
                x[i][j] -= x[k][j] * 0.5;
}
#endif
