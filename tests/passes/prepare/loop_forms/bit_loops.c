/* Loops through the bits of integers, and loops that look like them; prints what they compute. */
#include <stdint.h>
#include <stdio.h>

static int ones(unsigned v) { int c = 0; while (v) { c++; v &= v - 1; } return c; }
static int ones_of_long(uint64_t v) { int c = 3; while (v != 0) { v = (v - 1) & v; c += 2; } return c; }
static int ones_of_byte(unsigned char v) { int c = 0; while (v) { c++; v &= v - 1; } return c; }
static int ones_signed(int v) { int c = 0; for (; v; v &= v - 1) c++; return c; }
static int ones_at_least_one(unsigned v) { int c = 0; do { c++; v &= v - 1; } while (v); return c; }
static int length(unsigned v) { int c = 0; while (v) { c++; v >>= 1; } return c; }
static int length_halved(uint64_t v) { int c = 0; while (v > 0) { c++; v /= 2; } return c; }
static int length_at_least_one(unsigned v) { int c = 0; do { c++; v >>= 1; } while (v); return c; }
static int length_of_short(unsigned short v) { int c = 0; while (v) { c++; v >>= 1; } return c; }
static int length_positive(int v) { int c = 0; while (v > 0) { c++; v >>= 1; } return c * 64 + (v < 0); }
static int length_by_division(int v) { int c = 0; while (v > 0) { c++; v /= 2; } return c; }
static int sum_of_bits(unsigned v) { int c = 0; while (v) { c += v & 1; v >>= 1; } return c; }
static int sum_of_rests(int v) { int c = 0; while (v > 0) { c += v % 2; v /= 2; } return c; }
static int parity(unsigned v) { int p = 0; while (v) { p ^= v & 1; v >>= 1; } return p; }
static int parity_flipped(unsigned v) { int p = 1; while (v) { p ^= 1; v &= v - 1; } return p; }
static int flipped(unsigned v, int k) { int p = 9; while (v) { p ^= k; v &= v - 1; } return p; }
static int zeros_below(unsigned v) { int c = 0; while (!(v & 1)) { c++; v >>= 1; } return c * 7 + (int)(v & 255); }
static int zeros_below_signed(int v) { int c = 0; while ((v & 1) == 0) { c++; v >>= 1; } return c + v; }
static int zeros_by_division(int v) { int c = 0; while (v % 2 == 0) { c++; v /= 2; } return c + v; }
static long steps(unsigned v, long k) { long c = 1; while (v) { c += k; v &= v - 1; } return c; }
static unsigned char narrow(unsigned v) { unsigned char c = 250; while (v) { c -= 3; v >>= 1; } return c; }
static int two_sums(unsigned v) {
    int c = 0, d = 100;
    while (v) { c += v & 1; d -= 5; v >>= 1; }
    return c * 1000 + d;
}
static int distance(const unsigned *a, const unsigned *b, int n) {
    int c = 0;
    for (int i = 0; i < n; i++) {
        unsigned v = a[i] ^ b[i];
        while (v) { c++; v &= v - 1; }
    }
    return c;
}

/* No count of bits. */
static int by_four(unsigned v) { int c = 0; while (v) { c++; v >>= 2; } return c; }
static int negative_too(int v) { int c = 0; while (v && v != -1) { c++; v >>= 1; } return c; }
static unsigned products(unsigned v) { unsigned c = 1; while (v) { c *= 3; v &= v - 1; } return c; }
static int of_cleared(unsigned v) { int c = 0; while (v) { c += v & 1; v &= v - 1; } return c; }
static unsigned places(unsigned v) { unsigned c = 0; while (v) { c += v; v &= v - 1; } return c; }
static int stored(unsigned v, unsigned *at) { int c = 0; while (v) { at[c++] = v; v >>= 1; } return c; }
static int sets_lowest(unsigned v) { int c = 0; while (v != ~0u) { c++; v |= v + 1; } return c; }
static int one_less(unsigned v) { int c = 0; while (v) { c++; v &= v - 2; if (c > 40) break; } return c; }

static const unsigned numbers[] = {0, 1, 2, 3, 4, 7, 8, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff,
    0x10000, 0x12345678, 0x40000000, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaaa, 0xfffffffe,
    0xffffffff};

int main(void) {
    enum { N = sizeof numbers / sizeof *numbers };
    unsigned at[40] = {0};
    for (int i = 0; i < N; i++) {
        unsigned v = numbers[i];
        uint64_t wide = (uint64_t)v << (i % 33) | (i & 1);
        printf("%x: %d %d %d %d %d", v, ones(v), ones_of_long(wide), ones_of_byte(v), ones_signed(v >> 1),
               ones_at_least_one(v));
        printf(" %d %d %d %d", length(v), length_halved(wide), length_at_least_one(v),
               length_of_short(v));
        printf(" %d %d %d %d %d %d %d", length_positive(v), length_by_division(v), sum_of_bits(v),
               sum_of_rests(v), parity(v), parity_flipped(v), flipped(v, 6));
        if (v)
            printf(" %d %d %d", zeros_below(v), zeros_below_signed(v), zeros_by_division(v));
        printf(" %ld %d %d", steps(v, -7), narrow(v), two_sums(v));
        printf(" %d %d %u %d", by_four(v), negative_too(v), products(v), of_cleared(v));
        printf(" %u %d", places(v), stored(v, at));
        printf(" %u %d %d\n", at[0], sets_lowest(v), one_less(v));
    }
    printf("%d\n", distance(numbers, numbers + 1, N - 1));
    return 0;
}
