// An element that is summed up beside calls keeps LLVM from making these in lanes: the order of the
// source, whose sum is a variable, is no worse where no vectors are made of the calls before.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --skip-pass=affine-vectorize --remarks -c %s -o %t.o 2>&1 | filecheck %s

#include <math.h>

float x[64][1000], e[64][1000];

// CHECK: the code stays as it was written
void softmax(int rows, int n) {
  for (int b = 0; b < rows; b++) {
    float m = x[b][0], s = 0;
    for (int k = 1; k < n; k++)
      if (x[b][k] > m) m = x[b][k];
    for (int k = 0; k < n; k++) {
      e[b][k] = expf(x[b][k] - m);
      s += e[b][k];
    }
    for (int k = 0; k < n; k++) e[b][k] /= s;
  }
}
