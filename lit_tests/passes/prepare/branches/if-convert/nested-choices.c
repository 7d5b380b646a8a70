// A choice by data in a side of another one is left to no one else: LLVM keeps such a branch, so that the function is
// not given back as it was written, whatever becomes of its loops.
//
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,if-convert' | filecheck %s

#define MIN(x, y) ((x) < (y) ? (x) : (y))

// CHECK-LABEL: func.func @box
// CHECK-SAME:    poly.written_anew
// CHECK-COUNT-2: arith.select
double box(double dx, double half, double length) {
  if (dx > half) dx -= length;
  else if (dx < -half) dx += length;
  return dx;
}

// CHECK-LABEL: func.func @macros
// CHECK-SAME:    poly.written_anew
// CHECK-NOT:     cf.cond_br
void macros(int *d, const int *a) { d[0] = MIN(MIN(a[0] + 1, a[1] + 1), a[2] + d[1]); }

// Next to nothing is computed: LLVM makes selections of these, too.
// CHECK-LABEL: func.func @clamp
// CHECK-NOT:     poly.written_anew
int clamp(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

// One choice alone.
// CHECK-LABEL: func.func @alone
// CHECK-NOT:     poly.written_anew
double alone(double x, double a, double b) { return x > a ? x * a + b : x * b + a; }

// A division had better run only where it is wanted.
// CHECK-LABEL: func.func @divides
// CHECK-NOT:     poly.written_anew
// CHECK:         arith.select
// CHECK:         arith.select
double divides(double x, double y) {
  double d = 0.2;
  if (y != 0) {
    double q = x / y;
    d = q > 0.4 ? 0.4 : q;
  }
  return d;
}

// The best so far, which changes seldom.
// CHECK-LABEL: func.func @best
// CHECK-NOT:     poly.written_anew
float best(int n, const float *x, const float *y, int *at) {
  float b = 1e30f;
  int k = -1;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) {
      float h = x[i] * x[i] + y[i];
      if (h > 1e-4f && h < b) {
        b = h;
        k = i;
      }
    }
  *at = k;
  return b;
}

// Conditions that are one, of which LLVM makes a test of bits, are no choice.
// CHECK-LABEL: func.func @blank
// CHECK-NOT:     poly.written_anew
int blank(unsigned char c, int last, unsigned char *d, int o) {
  int space = c == ' ' || c == '\t' || c == '\n';
  if (!space || !last) d[o++] = space ? ' ' : c;
  return o;
}
