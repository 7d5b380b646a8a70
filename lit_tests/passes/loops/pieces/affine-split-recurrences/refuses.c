// Nothing is cut where a recurrence takes as long as all else, where what else there is goes down a column,
// where rows are short, where iterations may meet, or where a recurrence may be vectors as it is.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --poly=identity --emit=affine -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p 'affine-split-recurrences{march="x86-64-v3"}' | filecheck %s

#define PART(c, d)                                                                                  \
    (((c) * 7 + (d) * (c)) * ((d) ^ 11) - ((c) & 15) * ((d) | 2) + ((c) ^ (d)) * ((c) | (d)) * 3)
#define WORK(c, d) (PART(c, d) + PART(d, c) * PART(c, 77))

void awaited(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 1; i < n; i++) {
        b[i] = b[i] * c[i] + 3;
        a[i] = a[i - 1] * a[i - 1] + b[i];
    }
}

void columns(int n, int *restrict a, int (*restrict c)[100], int (*restrict d)[100])
{
    for (int i = 1; i < n; i++)
        a[i] = (a[i - 1] & 255) ^ WORK(c[i][0], d[i][0]);
}

void few(int *restrict a, int *restrict c, int *restrict d)
{
    for (int i = 1; i < 48; i++)
        a[i] = (a[i - 1] & 255) ^ WORK(c[i], d[i]);
}

void goes_round(int n, int *restrict a, int *restrict c)
{
    for (int i = 1; i < n; i++)
        a[i] = WORK(a[i - 1], c[i]);
}

void sums(int n, int *restrict a, int *restrict c, int *restrict d)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + WORK(c[i], d[i]);
}

void enough(int *restrict a, int *restrict c, int *restrict d)
{
    for (int i = 1; i < 49; i++)
        a[i] = (a[i - 1] & 255) ^ WORK(c[i], d[i]);
}

// CHECK-LABEL: func.func @awaited
// CHECK-NOT:     step 256
// CHECK-LABEL: func.func @columns
// CHECK-NOT:     step 256
// CHECK-LABEL: func.func @few
// CHECK-NOT:     step 47
// CHECK-LABEL: func.func @goes_round
// CHECK-NOT:     step 256
// CHECK-LABEL: func.func @sums
// CHECK-NOT:     step 256
// CHECK-LABEL: func.func @enough
// CHECK:         step 48
