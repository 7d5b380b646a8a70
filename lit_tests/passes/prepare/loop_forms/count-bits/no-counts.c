// Loops that look alike and stay: by more than one bit, for signed numbers whose sign stays, with products, with what depends on where
// the bits are, with stores to arrays, with a second way out, with a volatile variable.
// RUN: polyopt-cc -O3 --emit=prepared --remarks -w -o %t.mlir %s 2>&1 | filecheck %s --allow-empty
// RUN: filecheck %s --check-prefix=IR --input-file %t.mlir

int by_four(unsigned v) { int c = 0; while (v) { c++; v >>= 2; } return c; }
int with_sign(int v) { int c = 0; while (v) { c++; v >>= 1; } return c; }
unsigned products(unsigned v) { unsigned c = 1; while (v) { c *= 3; v &= v - 1; } return c; }
int lowest_of_cleared(unsigned v) { int c = 0; while (v) { c += v & 1; v &= v - 1; } return c; }
unsigned places(unsigned v) { unsigned c = 0; while (v) { c += v; v &= v - 1; } return c; }
int stored(unsigned v, unsigned *at) { int c = 0; while (v) { at[c++] = v; v >>= 1; } return c; }
int two_ways(unsigned v, int n) { int c = 0; while (v) { c++; v &= v - 1; if (c == n) break; } return c; }
int seen(unsigned v) { volatile int c = 0; while (v) { c++; v &= v - 1; } return c; }
int rests(int v) { int c = 0; while (v) { c += v % 2; v = (unsigned)v >> 1; } return c; }
double halves(unsigned v) { double c = 0; while (v) { c += 0.1; v &= v - 1; } return c; }

// CHECK-NOT: [count-bits]
// IR-NOT: math.ct
