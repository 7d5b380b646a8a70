// RUN: polyopt-cc -O3 -march=haswell -fparallel -fparallel-threshold=1000 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=haswell -fparallel -fparallel-threshold=0 --remarks -c %s -o %t.o 2>&1 | filecheck %s --check-prefix=ALL

// A loop that runs for each element of a row whose length data say is left in one thread; loops in loops there are not,
// nor one in a loop that something else ends. A threshold of 0 asks for all.

// CHECK: within_rows.c:{{.*}} missed: loop j in one thread: it runs for each element of a row of data [affine-parallelize]
// CHECK: within_rows.c:{{.*}} applied: loop j in threads: doall
// ALL: within_rows.c:{{.*}} applied: loop j in threads: doall
// ALL: within_rows.c:{{.*}} applied: loop j in threads: doall

void rows(int n, int m, const int *start, const int *column, const double *value, const double *b, double *c)
{
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            for (int j = 0; j < m; j++)
                c[i * m + j] += value[k] * b[column[k] * m + j];
}

double until_small(int n, double *restrict x, const double *restrict y)
{
    double left = 1e10;
    for (int t = 0; t < 10; t++)
        while (left > x[0])
            for (int j = 0, last = (left *= 0.5, n); j < last; j++)
                x[j] += y[j];
    return left;
}
