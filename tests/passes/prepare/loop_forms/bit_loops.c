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

/* Over the places of bits. */
static int each(unsigned v) { int c = 0; for (int b = 0; b < 32; b++) c += (v >> b) & 1; return c; }
static int each_signed(int v) { int c = 0; for (int b = 0; b < 32; b++) c += (v >> b) & 1; return c; }
static int each_if(unsigned v) { int c = 5; for (int b = 0; b < 32; b++) if (v & (1u << b)) c++; return c; }
static int each_down(uint64_t v) { int c = 0; for (int b = 63; b >= 0; b--) if ((v >> b) & 1) c += 3; return c; }
static int each_of_byte(unsigned char v) { int c = 0; for (int b = 0; b <= 7; b++) c += v >> b & 1; return c * 10; }
static int middle(unsigned v) { int c = 0; for (unsigned b = 4; b != 20; b++) c -= (v >> b) % 2; return c; }
static int equal_to_one(uint64_t v) { int c = 0; for (int b = 9; b > 2; b--) { if (((v >> b) & 1) == 1) c++; } return c; }
static int truths(unsigned v) { int c = 0; for (int b = 0; b < 16; b++) c += (v & (1 << b)) != 0; return c; }
static int parity_of_places(unsigned v) { int p = 0; for (int b = 0; b < 31; b++) p ^= v >> b & 1; return p; }
static int last_place(unsigned v) { int c = 0, b; for (b = 0; b < 12; b++) c += v >> b & 1; return c * 100 + b; }
static int last_down(unsigned v) { int c = 0, b; for (b = 12; b >= 5; b -= 1) c += v >> b & 1; return c * 100 + b; }
static int of_two(unsigned v, unsigned w) {
    int c = 0, d = 0;
    for (int b = 0; b < 32; b++) { c += ((v ^ w) >> b) & 1; if (w & 1u << b) d += 2; }
    return c * 100 + d;
}
static unsigned char narrow_places(unsigned v) { unsigned char c = 250; for (int b = 0; b < 32; b++) if (v >> b & 1) c += 7; return c; }
static long hamming(const uint64_t *a, const uint64_t *b, int n) {
    long t = 0;
    for (int i = 0; i < n; i++) for (int k = 0; k < 64; k++) t += (a[i] ^ b[i]) >> k & 1;
    return t;
}

/* No count of bits. */
static int weighed(unsigned v) { int c = 0; for (int b = 0; b < 32; b++) c += (v >> b & 1) * b; return c; }
static int by_twos(unsigned v) { int c = 0; for (int b = 0; b < 32; b += 2) c += v >> b & 1; return c; }
static int pairs(unsigned v) { int c = 0; for (int b = 0; b < 31; b++) c += v >> b & 3; return c; }
static int rests_of_places(int v) { int c = 0; for (int b = 0; b < 32; b++) c += (v >> b) % 2; return c; }
static int sign_bits(int v) { int c = 0; for (int b = 0; b < 32; b++) c += -((v >> b) & 1); return c; }
static int long_from_int(uint64_t v) { int c = 0; for (int b = 0; b < 32; b++) if (v & (uint64_t)(int64_t)(int32_t)(1u << b)) c++; return c; }
static int changing(unsigned v) { int c = 0; for (int b = 0; b < 32; b++) { c += v >> b & 1; v ^= 5; } return c; }
static int until(unsigned v, int n) { int c = 0; for (int b = 0; b < n; b++) c += v >> b & 1; return c; }
static int first_few(unsigned v) { int c = 0; for (int b = 0; b < 32; b++) { if (v >> b & 1) c++; if (c == 3) return b; } return c; }
static int of_memory(unsigned *v) { int c = 0; for (int b = 0; b < 32; b++) { c += *v >> b & 1; *v += c; } return c; }
static int else_too(unsigned v) { int c = 0; for (int b = 0; b < 32; b++) if (v >> b & 1) c++; else c--; return c; }
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
        printf(" %d %d %d %d", each(v), each_signed((int)v), each_if(v), each_down(wide));
        printf(" %d %d %d %d", each_of_byte(v), middle(v), equal_to_one(wide), truths(v));
        printf(" %d %d %d", parity_of_places(v), last_place(v), last_down(v));
        printf(" %d %d", of_two(v, numbers[(i + 5) % N]), narrow_places(v));
        unsigned w = v;
        printf(" %d %d %d %d %d", weighed(v), by_twos(v), pairs(v), rests_of_places((int)v), sign_bits((int)v));
        printf(" %d %d %d %d", long_from_int(wide << 7 | 1), changing(v), until(v, i % 33), first_few(v));
        printf(" %d %d\n", of_memory(&w), else_too(v));
    }
    printf("%d\n", distance(numbers, numbers + 1, N - 1));
    uint64_t words[3] = {~0ull, 0x8000000000000001ull, 12345}, others[3] = {1, 3, ~12345ull};
    printf("%ld\n", hamming(words, others, 3));
    return 0;
}
