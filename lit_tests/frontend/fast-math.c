// RUN: polyopt-opt %s | filecheck %s --check-prefix=ON
// RUN: polyopt-opt %s --cflags=-ffp-contract=off | filecheck %s --check-prefix=OFF
// RUN: polyopt-opt %s --cflags=-ffast-math | filecheck %s --check-prefix=FAST
// What may be done with floating point is said once, on the module.

// ON: builtin.module attributes {cmem.strict_aliasing, polyopt.fastmath = #arith.fastmath<contract>}
// OFF: builtin.module attributes {cmem.strict_aliasing, polyopt.fastmath = #arith.fastmath<none>}
// FAST: builtin.module attributes {cmem.strict_aliasing, polyopt.fastmath = #arith.fastmath<fast>}
double f(double a, double b) { return a * b + a; }
