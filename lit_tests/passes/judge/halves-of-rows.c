// A loop that runs as often wherever it begins is unrolled by LLVM, and by us is a vector: the source's
// order, of which LLVM makes no vectors, is not thought to be the better one.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --remarks --emit=loops %s -o %t 2> %t.remarks
// RUN: filecheck %s < %t.remarks

// CHECK: what was made of the loops is kept
// CHECK: applied: vectors of 8

void butterflies(float *a, int n) {
  for (int i = 0; i < n; i += 16)
    for (int j = i; j < i + 8; j++) {
      float x = a[j], y = a[j + 8];
      a[j] = (x + y) * 0.7f;
      a[j + 8] = (x - y) * 0.7f;
    }
}
