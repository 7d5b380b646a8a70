// Strided elements without AVX-512 are left to LLVM, but where it takes over too late what an iteration loads again.
// RUN: polyopt-cc -O3 -march=x86-64-v3 -c -o %t.o --remarks %s 2>&1 | filecheck %s

unsigned short raw[300][400], r[300][400], g[300][400];

// raw[y][x + 1] is raw[y][x - 1] of the next iteration, and r[y][x] is stored in between.
// CHECK: taken-over.c:11:{{.*}} applied: vectors of 8
void in_between(void) {
  for (int y = 0; y < 300; y++)
    for (int x = 2; x < 398; x += 2) {
      r[y][x] = raw[y][x - 1] * 3 >> 1;
      r[y][x + 1] = raw[y][x];
      g[y][x] = (raw[y][x] + raw[y][x + 1]) >> 1;
      g[y][x + 1] = (raw[y][x] + raw[y][x + 1] * 3) >> 2;
    }
}

// CHECK-NOT: applied: vectors of
void loaded_before(void) {
  for (int y = 0; y < 300; y++)
    for (int x = 2; x < 398; x += 2) {
      r[y][x] = (raw[y][x - 1] + raw[y][x + 1]) >> 1;
      r[y][x + 1] = raw[y][x];
    }
}
