// Loops that look alike and stay: by more than one bit, for signed numbers whose sign stays, with products, with what depends on where
// the bits are, with stores to arrays, with a second way out, with a volatile variable; over the places of bits two by two, of a number
// that changes or is written, of more places than it has, up to what is not known.
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
int by_twos(unsigned v) { int c = 0; for (int b = 0; b < 32; b += 2) c += v >> b & 1; return c; }
int weighed(unsigned v) { int c = 0; for (int b = 0; b < 32; b++) c += (v >> b & 1) * b; return c; }
int changing(unsigned v) { int c = 0; for (int b = 0; b < 32; b++) { c += v >> b & 1; v ^= 5; } return c; }
int written(unsigned *v) { int c = 0; for (int b = 0; b < 32; b++) { c += *v >> b & 1; v[1] = c; } return c; }
int too_many(unsigned v) { int c = 0; for (int b = 0; b < 33; b++) c += v >> b & 1; return c; }
int up_to(unsigned v, int n) { int c = 0; for (int b = 0; b < n; b++) c += v >> b & 1; return c; }
int until_found(unsigned v) { int c = 0; for (int b = 0; b < 32; b++) { if (v >> b & 1) c++; if (c == 3) return b; } return c; }
int seen_places(volatile unsigned *v) { int c = 0; for (int b = 0; b < 32; b++) c += *v >> b & 1; return c; }

// CHECK-NOT: [count-bits]
// IR-NOT: math.ct
