// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s

// Which stores are one statement.

// Each store with what feeds it is a statement of its own.
// CHECK-LABEL: func.func @two
// CHECK:         poly.stmt "S0"
// CHECK:         poly.stmt "S1"
void two(int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++) {
        a[i] = a[i] + 1.0;
        b[i] = a[i];
    }
}

// Each of the two stores would change what the other one's load reads.
// CHECK-LABEL: func.func @swap
// CHECK:         poly.stmt "S0"
// CHECK-NOT:     poly.stmt
// CHECK:         %[[X:.*]] = poly.read {{.*}} -> a[i] }">
// CHECK:         %[[Y:.*]] = poly.read {{.*}} -> a[-1 + n - i] }">
// CHECK:         poly.write %[[Y]], {{.*}} -> a[i] }">
// CHECK:         poly.write %[[X]], {{.*}} -> a[-1 + n - i] }">
// CHECK-NOT:     poly.stmt
void swap(int n, double *a)
{
    for (int i = 0; i < n / 2; i++) {
        double t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}

// A value that another block's statements use goes through a scalar.
// CHECK-LABEL: func.func @through_a_scalar
// CHECK:         poly.write {{.*}} -> x[] }">
// CHECK:         poly.read {{.*}} -> x[] }">
void through_a_scalar(int n, double A[n][n])
{
    for (int i = 0; i < n; i++) {
        double x = A[i][0];
        for (int j = 0; j < n; j++)
            A[i][j] += x;
    }
}

// An index that depends on data: the access may be to any element, and the index is computed. The
// variable that it is in becomes a scalar, which is set in front of the loop.
// CHECK-LABEL: func.func @steps
// CHECK:         memref.store %{{.*}}, %k[]
// CHECK:         poly.scop
// CHECK:         poly.stmt "S0"
// CHECK:         poly.read {{.*}} -> k[] }">
// CHECK:         poly.write {{.*}} -> a[o0] }"> may at [%[[K:.*]]] :
// CHECK:         poly.read {{.*}} -> next[o0] }"> may at [%[[K]]] :
// CHECK:         poly.write {{.*}} -> k[] }">
// CHECK-NOT:     poly.stmt
void steps(int n, double *restrict a, const int *restrict next)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        a[k] = 1.0;
        k = next[k];
    }
}

// A choice by comparison is a maximum or a minimum; equal values are computed once.
// CHECK-LABEL: func.func @greatest
// CHECK:         %[[OLD:.*]] = poly.read {{.*}} -> m[] }">
// CHECK:         %[[NEW:.*]] = arith.addi
// CHECK-NOT:     arith.addi
// CHECK:         %[[MAX:.*]] = arith.maxsi %[[OLD]], %[[NEW]]
// CHECK-NEXT:    poly.write %[[MAX]]
void greatest(int n, int *restrict m, int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++)
        *m = *m >= a[i] + b[i] ? *m : a[i] + b[i];
}

// CHECK-LABEL: func.func @least
// CHECK:         arith.minui
void least(int n, unsigned *restrict m, unsigned *restrict a)
{
    for (int i = 0; i < n; i++)
        *m = *m > a[i] ? a[i] : *m;
}

// With NaN and signed zeros a maximum of C is no maximum of anything else.
// CHECK-LABEL: func.func @greatest_float
// CHECK:         arith.select
void greatest_float(int n, float *restrict m, float *restrict a)
{
    for (int i = 0; i < n; i++)
        *m = *m > a[i] ? *m : a[i];
}

// Data decide on what is stored: all that a condition holds is one statement, of accesses that may
// be made or not.
// CHECK-LABEL: func.func @where_positive
// CHECK:         poly.stmt "S0"
// CHECK:         poly.read {{.*}} -> a[i] }"> : memref
// CHECK:         scf.if
// CHECK:           poly.read {{.*}} -> b[1 + i] }"> may : memref
// CHECK:           poly.write {{.*}} -> a[i] }"> may : memref
// CHECK:         } else {
// CHECK:           poly.write {{.*}} -> b[i] }"> may : memref
// CHECK:         }
// CHECK-NOT:     poly.stmt
void where_positive(int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        if (a[i] > 0.0)
            a[i] += b[i + 1];
        else
            b[i] = 0.0;
}
