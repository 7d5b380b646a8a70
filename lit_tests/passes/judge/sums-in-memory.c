// RUN: polyopt-cc -O2 -march=x86-64-v4 -ffast-math --remarks -c -o %t.o %s 2>&1 | filecheck %s
// RUN: polyopt-cc -O2 -march=x86-64-v4 -ffast-math -fparallel --remarks -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=THREADS

// A sum in an element that another pointer may lead to is stored and loaded again in each iteration of
// the source: loops that begin with a check are many times as fast.

// CHECK:       sums-in-memory.c:10:{{.*}} is kept: {{.*}} are expected of it, 1{{.}},{{...}} cycles of the source
void lengths(int n, double A[40][40], double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] = A[i][j] * x[j] + y[i];
    }
}

// Not where LLVM makes a small function part of a caller that knows what objects there are; with threads
// it is not small.

// CHECK:       sums-in-memory.c:25:{{.*}} are expected of it, 1,{{...}} cycles of the source
// THREADS:     sums-in-memory.c:25:{{.*}} are expected of it, 1{{.}},{{...}} cycles of the source
static double B[40][40], u[40], v[40];
void rows(int n, double A[40][40], double *x, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] = A[i][j] * x[j] + y[i];
}

double *caller(int n)
{
    rows(n, B, u, v);
    return v;
}
