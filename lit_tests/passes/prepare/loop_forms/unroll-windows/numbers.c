// RUN: polyopt-opt %s -p promote-scalars,split-locals,clean-values,if-convert,unroll-windows,expand-powers | filecheck %s
// What is computed from the place in a window is a number when the window is straight code: weights
// that halve with the distance divide nothing.
#include <stdlib.h>

// CHECK-LABEL: func.func @halves
// CHECK-NOT:     arith.divf
// CHECK-NOT:     arith.shli
// CHECK:         func.return
void halves(int n, double *restrict out, const double *restrict in)
{
    for (int i = 1; i < n - 1; i++) {
        double s = 0;
        for (int r = -1; r <= 1; r++)
            s += in[2 * i + r] / (1 << abs(r));
        out[i] = s;
    }
}
