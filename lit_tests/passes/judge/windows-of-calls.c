// Beside loads of what the next iterations load again LLVM makes calls one by one: vectors pay.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --remarks -c %s -o %t.o 2>&1 | filecheck %s

#include <math.h>

float a[4008], b[4008];

// CHECK: what was made of the loops is kept
// CHECK: vectors of 8
void weigh(int n) {
  for (int x = 1; x < n; x++) {
    float before = a[x - 1] - a[x], behind = a[x + 1] - a[x];
    float u = expf(-before * before), v = expf(-behind * behind);
    b[x] = (u * a[x - 1] + v * a[x + 1]) / (u + v);
  }
}
