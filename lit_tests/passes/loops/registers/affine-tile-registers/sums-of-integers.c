// Sums of integers come to the same in any order, whatever is asked of floating-point numbers: every
// fourth sum of products that lie side by side is in vectors along the products, not in tiles of
// columns that would be gathered.
// RUN: polyopt-cc -O3 -march=x86-64-v3 --remarks -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --remarks -c %s -o %t.o 2>&1 | filecheck %s

// CHECK-NOT: kept in registers
// CHECK:     applied: 2 neighbours in each lane of a sum [affine-group-sums]
// CHECK-NOT: kept in registers
// CHECK:     applied: vectors of 8 [affine-vectorize]

void every_fourth(const short *restrict x, const short *restrict c, short *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    int sum = 1 << 14;
    for (int t = 0; t < 32; t++)
      sum += x[i * 4 + t] * c[t];
    y[i] = sum >> 15;
  }
}
