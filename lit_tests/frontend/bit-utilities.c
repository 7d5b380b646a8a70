// <stdbit.h> against loops over the bits, for each of its types: nothing differs.
// RUN: polyopt-cc -O0 --run %s | filecheck %s
// CHECK: 0 1 1

#include <stdbit.h>
#include <stdio.h>

static int wrong;

#define CHECK(T, value)                                                                      \
    do {                                                                                     \
        T v = (T)(value), floor = 0, ceil = 1;                                               \
        unsigned w = sizeof(T) * 8, lz = 0, lo = 0, tz = 0, to = 0, ones = 0;                \
        while (lz < w && !(v >> (w - 1 - lz) & 1))                                           \
            lz++;                                                                            \
        while (lo < w && v >> (w - 1 - lo) & 1)                                              \
            lo++;                                                                            \
        while (tz < w && !(v >> tz & 1))                                                     \
            tz++;                                                                            \
        while (to < w && v >> to & 1)                                                        \
            to++;                                                                            \
        for (unsigned i = 0; i < w; i++) {                                                   \
            ones += v >> i & 1;                                                              \
            if (v >> i & 1)                                                                  \
                floor = (T)((T)1 << i);                                                      \
        }                                                                                    \
        while (ceil && ceil < v)                                                             \
            ceil = (T)(ceil << 1);                                                           \
        wrong += stdc_leading_zeros(v) != lz || stdc_leading_ones(v) != lo;                  \
        wrong += stdc_trailing_zeros(v) != tz || stdc_trailing_ones(v) != to;                \
        wrong += stdc_first_leading_zero(v) != (lo == w ? 0 : lo + 1);                       \
        wrong += stdc_first_leading_one(v) != (lz == w ? 0 : lz + 1);                        \
        wrong += stdc_first_trailing_zero(v) != (to == w ? 0 : to + 1);                      \
        wrong += stdc_first_trailing_one(v) != (tz == w ? 0 : tz + 1);                       \
        wrong += stdc_count_ones(v) != ones || stdc_count_zeros(v) != w - ones;              \
        wrong += stdc_has_single_bit(v) != (ones == 1) || stdc_bit_width(v) != w - lz;       \
        wrong += stdc_bit_floor(v) != floor || stdc_bit_ceil(v) != ceil;                     \
    } while (0)

int main(void)
{
    unsigned long long random = 1;
    for (int i = 0; i < 200; i++) {
        random = random * 6364136223846793005ull + 1442695040888963407ull;
        unsigned long long x = i < 9 ? i : i < 20 ? ~(i - 9ull) : i < 84 ? 1ull << (i - 20) : random;
        CHECK(unsigned char, x);
        CHECK(unsigned short, x);
        CHECK(unsigned, x);
        CHECK(unsigned long, x);
        CHECK(unsigned long long, x);
    }
    printf("%d %zu %d\n", wrong, sizeof stdc_bit_floor((unsigned char)3),
           __STDC_ENDIAN_NATIVE__ == __STDC_ENDIAN_LITTLE__);
    return 0;
}
