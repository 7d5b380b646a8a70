// Figure 14 of Berlin, Edelsohn, Pop (GCC Summit 2004) itself: nothing goes round, so the loop stays
// whole, and its square roots and logarithms are made for whole vectors in it.
// RUN: polyopt-cc -O3 -ffast-math --poly=identity --emit=affine -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p affine-isolate-calls | filecheck %s
// RUN: polyopt-cc -O3 -ffast-math -march=x86-64-v3 -S -o - %s | filecheck %s --check-prefix=LANES

#include <math.h>

void figure(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++) {
        double s = b[i] / sqrt(c[i]);
        a[i] = log(s) * c[i];
    }
}

// CHECK:     affine.for
// CHECK-NOT: affine.for

// LANES: vsqrtpd
// LANES: _ZGVdN4v_log
