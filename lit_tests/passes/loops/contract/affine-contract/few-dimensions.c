// Without panels, distances of points would be summed up in vectors along their dimensions, which
// nobody knows to be many. In panels they are vectors of points: how many of these there are
// decides.
// RUN: polyopt-cc -O3 -march=x86-64-v4 -ffast-math --print-after=affine-contract -c -o %t %s 2>&1 | filecheck %s

// In the order of the source there are no vectors along a sum, and tiles of registers gather.
// RUN: polyopt-cc -O3 -march=x86-64-v4 --print-after=affine-contract -c -o %t %s 2>&1 | filecheck %s --check-prefix=ORDER

#include <math.h>

void distances(int n, int m, int d, const double *restrict x, const double *restrict y,
               double *restrict r)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < d; k++) {
                double t = x[i * d + k] - y[j * d + k];
                s += t * t;
            }
            r[i * m + j] = sqrt(s);
        }
}

// CHECK:      "affine.if"(%n{{.*}}, %m{{.*}}, %d{{.*}}) <{condition = affine_set<(d0, d1, d2) : ((d0 + -8) >= 0, (d1 + -8) >= 0, (d2 + -1) >= 0, ((d0 + d1) + -32) >= 0)>}>
// CHECK-NEXT:   contract.nest

// ORDER:      "affine.if"(%n{{.*}}, %m{{.*}}, %d{{.*}}) <{condition = affine_set<(d0, d1, d2) : ((d0 + -8) >= 0, (d1 + -8) >= 0, (d2 + -8) >= 0, (((d0 + d1) + d2) + -48) >= 0)>}>
// ORDER-NEXT:   contract.nest
