// RUN: polyopt-opt %s --cflags=-ffast-math -p expand-powers | filecheck %s
// RUN: polyopt-opt %s -p expand-powers | filecheck %s --check-prefix=EXACT
// RUN: polyopt-opt %s --cflags="-ffast-math -fsigned-zeros" -p expand-powers | filecheck %s --check-prefix=EXACT
// What is not known, is no whole, half or quarter, is beyond what pays, or is not above zero is called; and
// everything where a rounding, an infinity or the sign of a zero has to be pow's.
#include <math.h>

// CHECK-LABEL: func.func @calls
// CHECK-COUNT-5: math.powf
double calls(double x, double y) {
    return pow(x, y) + pow(x, 0.3) + pow(-2.0, y) + pow(0.0, y) + pow(x, 33.0);
}

// EXACT-LABEL: func.func @exact
// EXACT-COUNT-2: math.powf
double exact(double x) { return pow(x, 2.0) + pow(2.0, x); }
