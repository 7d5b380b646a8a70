// Four products side by side are one vector, unless LLVM is told to leave straight code alone; gcc's
// name of the flag is obeyed, too, and the last one decides.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -S -o - %s | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -fno-slp-vectorize -fslp-vectorize -S -o - %s | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -fno-slp-vectorize -S -o - %s | filecheck %s --check-prefix=SINGLE
// RUN: polyopt-cc -O3 -march=x86-64-v3 -fno-tree-slp-vectorize -S -o - %s | filecheck %s --check-prefix=SINGLE

// CHECK: vmulpd
// SINGLE-NOT: vmulpd
// SINGLE: vmulsd
void scaled(double *restrict a, const double *restrict b) {
  a[0] = b[0] * 3;
  a[1] = b[1] * 3;
  a[2] = b[2] * 3;
  a[3] = b[3] * 3;
}
