// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s
#include <stddef.h>

// What is computed before a loop without a sign may wrap around; where it tells accesses apart, it is
// asked whether it is the sum that it is written as.

// CHECK-LABEL: func.func @by_size
// CHECK:         poly.scop
// CHECK-SAME:    assumed <"[m, m2] -> {  : m2 = 2m and 0 <= m <= {{[0-9]+}} }">
void by_size(float *a, size_t m)
{
    size_t m2 = 2 * m;
    for (size_t k = 0; k < m; k++)
        a[k] += a[k + m2];
}

// A size of 32 bits cannot leave 64.
// CHECK-LABEL: func.func @short_one
// CHECK:         poly.scop
// CHECK-SAME:    assumed <"[m, m2] -> {  : m2 = 2m }">
void short_one(float *a, unsigned m)
{
    unsigned m2 = 2 * m;
    for (unsigned k = 0; k < m; k++)
        a[k] += a[k + m2];
}

// A sum of a sum, where the one between is nowhere in the loop.
// CHECK-LABEL: func.func @nested
// CHECK:         poly.scop
// CHECK-SAME:    after = 1 + 2m
void nested(float *a, unsigned m)
{
    unsigned twice = 2 * m, after = twice + 1;
    for (unsigned k = 0; k < m; k++)
        a[k] += a[k + after];
}

// What is signed does not wrap: it is the sum.
// CHECK-LABEL: func.func @signed_one
// CHECK:         poly.scop
// CHECK-SAME:    params(%{{[a-z_0-9]+}}) ["m"]
// CHECK-NOT:     assumed
// CHECK:         poly.read {{.*}} <"[m] -> { S0[k] -> a[2m + k] }">
void signed_one(float *a, int m)
{
    int m2 = 2 * m;
    for (int k = 0; k < m; k++)
        a[k] += a[k + m2];
}

// Of what is read only, or no sum of what is in the loop, nothing is asked.
// CHECK-LABEL: func.func @only_read
// CHECK:         poly.scop
// CHECK-NOT:     n = 2m
// CHECK:         func.return
void only_read(float *restrict a, const float *restrict b, unsigned m)
{
    unsigned n = 2 * m;
    for (unsigned k = 0; k < m; k++)
        a[k] += b[k + n];
}

// CHECK-LABEL: func.func @another
// CHECK:         poly.scop
// CHECK-NOT:     2q
// CHECK:         func.return
void another(float *a, unsigned m, unsigned q)
{
    unsigned n = 2 * q;
    for (unsigned k = 0; k < m; k++)
        a[k] += a[k + n];
}
