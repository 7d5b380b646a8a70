// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s
#include <stddef.h>

// Products that C lets wrap around are subscripts of rows where their factors are small: by their
// types, or as a check says.

// CHECK-LABEL: func.func @by_size
// CHECK:         cmem.view %a[%{{.*}}] : memref<?x?xf64>
// CHECK:         cf.cond_br
// CHECK:         poly.scop
// CHECK-SAME:    m <= 3037000499
// CHECK:         poly.write {{.*}} <"[n, m] -> { S0[i, j] -> a[i, j] }">
void by_size(size_t n, size_t m, double *a)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            a[i * m + j] = 1.0;
}

// What fits in an int needs no check.
// CHECK-LABEL: func.func @by_type
// CHECK-NOT:     assumed
// CHECK:         poly.write {{.*}} <"[n, m] -> { S0[i, j] -> a[i, j] }">
void by_type(int n, int m, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[(size_t)i * m + j] = 1.0;
}

// In 32 bits without a sign, one row up is none where there is none: i - 1 is not negative.
// CHECK-LABEL: func.func @short_ones
// CHECK:         poly.scop
// CHECK-SAME:    m <= 65535
// CHECK:         poly.read {{.*}} <"[n, m] -> { S0[i, j] -> a[-1 + i, j] }">
// CHECK:         poly.write {{.*}} <"[n, m] -> { S0[i, j] -> a[i, j] }">
void short_ones(unsigned n, unsigned m, double *a)
{
    for (unsigned i = 1; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            a[i * m + j] = a[(i - 1) * m + j];
}

// What a row starts with counts with the rows: (first + i) * m.
// CHECK-LABEL: func.func @from
// CHECK:         poly.scop
// CHECK-SAME:    m <= 65535
// CHECK:         poly.write {{.*}} -> { S0[i, j] -> a[i, j] }">
void from(unsigned first, unsigned n, unsigned m, double *a)
{
    for (unsigned i = first; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            a[i * m + j] = 1.0;
}

// A factor that data tell is small for all or for none: the place is computed.
// CHECK-LABEL: func.func @looked_up
// CHECK:         poly.read %a{{.*}} may at
void looked_up(size_t n, size_t m, const size_t *row, const double *a, double *restrict s)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            s[i] += a[row[i] * m + j];
}
