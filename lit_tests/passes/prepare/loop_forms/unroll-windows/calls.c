// A window that calls functions of the vector library is straight code in which the loop around calls them in lanes: the
// function is not given back as it was written, where LLVM finds the window. Without approximations nothing is called
// in lanes.
//
// RUN: polyopt-cc %s -O3 -ffast-math --emit=prepared -o - | filecheck %s
// RUN: polyopt-cc %s -O3 --emit=prepared -o - | filecheck %s --check-prefix=EXACT

#include <math.h>

// CHECK-LABEL: func.func @filter
// CHECK-SAME:    poly.written_anew
// CHECK-COUNT-3: math.exp
// EXACT-LABEL: func.func @filter
// EXACT-NOT:     poly.written_anew
void filter(int n, const float *restrict x, float *restrict y) {
  for (int i = 1; i < n - 1; i++) {
    float s = 0;
    for (int k = -1; k <= 1; k++) s += expf(x[i + k]);
    y[i] = s;
  }
}

// CHECK-LABEL: func.func @sums
// CHECK-NOT:     poly.written_anew
void sums(int n, const float *restrict x, float *restrict y) {
  for (int i = 1; i < n - 1; i++) {
    float s = 0;
    for (int k = -1; k <= 1; k++) s += x[i + k];
    y[i] = s;
  }
}
