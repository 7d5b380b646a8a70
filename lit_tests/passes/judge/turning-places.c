// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --remarks -c %s -o %t 2>&1 | filecheck %s

// An element that a loop comes back to, x[i % 4], is no sum that LLVM adds up in vectors, although it moves by nothing
// in the end: apart by remainders the loop is worth more.
// CHECK: what was made of the loops is kept
// CHECK: apart by remainders of 4 [affine-split-residues]
void turning(int n, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) x[i % 4] += y[i];
}
