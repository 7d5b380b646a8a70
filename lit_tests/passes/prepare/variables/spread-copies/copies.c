// RUN: polyopt-opt %s -p promote-scalars,clean-values,spread-copies | filecheck %s

// In loops, copies and fillings of elements become loops; those beside loops, of objects that may
// overlap, of no number of elements or of other bytes than zeros stay calls.

#include <string.h>

void rows(int n, double (*b)[16], double (*a)[16])
{
    for (int i = 0; i < n; i++) {
        memcpy(b[i], a[i], sizeof b[i]);
        memset(a[i], 0, n * sizeof(double));
    }
}
// CHECK-LABEL: func.func @rows
// CHECK-NOT: func.call
// CHECK: func.return

void beside(int n, double *b, double *a)
{
    memcpy(b, a, n * sizeof *b);
    for (int i = 0; i < n; i++)
        b[i] += 1;
}
// CHECK-LABEL: func.func @beside
// CHECK: func.call @memcpy

void kept(int n, double (*b)[16], double (*a)[16])
{
    for (int i = 0; i < n; i++) {
        memmove(b[i], a[i], sizeof b[i]);
        memcpy(b[i], a[i], 12);
        memcpy(b[i], a[i], n);
        memset(b[i], 1, sizeof b[i]);
    }
}
// CHECK-LABEL: func.func @kept
// CHECK: func.call @memmove
// CHECK-COUNT-2: func.call @memcpy
// CHECK: func.call @memset
