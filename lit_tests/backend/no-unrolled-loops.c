// A loop that goes round by a product is unrolled, unless LLVM is told not to; the last flag decides.
// RUN: polyopt-cc -O2 -march=x86-64-v3 -ffp-contract=off -S -o - %s | filecheck %s
// RUN: polyopt-cc -O2 -march=x86-64-v3 -ffp-contract=off -fno-unroll-loops -funroll-loops -S -o - %s | filecheck %s
// RUN: polyopt-cc -O2 -march=x86-64-v3 -ffp-contract=off -fno-unroll-loops -S -o - %s | filecheck %s --check-prefix=SINGLE

// CHECK-COUNT-4: vmulsd
// SINGLE-COUNT-1: vmulsd
// SINGLE-NOT: vmulsd
double value(const double *p, int n, double x) {
  double h = 0;
  for (int i = 0; i < n; i++) h = h * x + p[i];
  return h;
}
