// What __builtin_constant_p asks in a loop, or in a function that a loop calls, is false, and the
// short way goes with it; asked of a number it is true.
// RUN: polyopt-cc -O2 --emit=source %s | polyopt-opt -p answer-constants | filecheck %s

// CHECK-LABEL: func.func private @scaled
// CHECK-NOT:     cmem.is_constant
// CHECK-NOT:     arith.shli
// CHECK:         arith.muli
// CHECK:         func.return
static int scaled(int n, int by) {
  if (__builtin_constant_p(by) && by == 4)
    return n << 2;
  return n * by;
}

// CHECK-LABEL: func.func @row
// CHECK-NOT:     cmem.is_constant
// CHECK-NOT:     cf.cond_br %true
// CHECK-NOT:     cf.cond_br %false
// CHECK-LABEL: func.func @alone
void row(int n, int *a, int by) {
  for (int i = 0; i < n; i++)
    a[i] = scaled(__builtin_constant_p(n) ? 0 : a[i], by);
}

// CHECK:         cmem.is_constant %n : i32
int alone(int n) { return __builtin_constant_p(n) ? 1 : n; }
