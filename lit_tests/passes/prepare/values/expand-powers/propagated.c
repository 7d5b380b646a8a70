// RUN: polyopt-cc -O3 -ffast-math --poly=isl --print-after=expand-powers -c %s -o %t.o 2>&1 | filecheck %s
// Numbers that no power is written with: an argument that all calls pass, a member, an element of a table,
// a variable that starts as one, and the argument of a function that takes the place of its call.
#include <math.h>

struct Gas { double gamma, constant; };
static const double weights[3] = {1.0, 2.0, 3.0};
static double power(double x, int e) { return pow(x, e); }

// CHECK-LABEL: func.func @all
// CHECK-NOT:     math.powf
// CHECK:         memref.store
// CHECK-NOT:     math.powf
void all(int n, double *restrict y, const double *restrict x) {
    struct Gas gas = {1.5, 8.3};
    double quarter = 2;
    for (int i = 0; i < n; i++)
        y[i] = power(x[i], 3) + pow(x[i], gas.gamma) + pow(x[i], weights[1]) + pow(x[i], quarter);
}
