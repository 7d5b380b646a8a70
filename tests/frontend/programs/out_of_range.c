/* Floating-point numbers that no integer of the type holds become what the machine makes of them: one
   by one, in loops that are vectorised, and by constant expressions. */
#include <stdio.h>

#define COUNT 42
static const double values[COUNT] = {
    0.0,         -0.0,         0.5,          -0.5,         1.9,         -1.9,
    127.9,       128.0,        -128.9,       -129.0,       255.9,       256.0,
    32767.9,     32768.0,      65535.9,      65536.0,      -32769.0,    2147483647.0,
    2147483648., -2147483648., -2147483649., 4294967295.0, 4294967296., -4294967296.0,
    1e10,        -1e10,        9.2e18,       0x1p63,       -0x1p63,     -0x1.1p63,
    0x1.8p63,    0x1p64,       -0x1p64,      1e30,         -1e30,       1e300,
    -1e300,      0x1p-1074,    1.0 / 0.0,    -1.0 / 0.0,   0.0 / 0.0,   2147483647.5,
};
static double d[3 * COUNT];
static float f[3 * COUNT];

#define TYPES(X) \
    X(signed char, sc) X(unsigned char, uc) X(short, s) X(unsigned short, us) X(int, i) \
    X(unsigned, u) X(long, l) X(unsigned long, ul) X(_Bool, b) X(char, c)

static unsigned long checksum;
static void add(unsigned long value) { checksum = checksum * 31 + value; }

#define EACH(T, N) \
    static T one_##N(double x) { return (T)x; } \
    static T one_f##N(float x) { return x; } \
    static T from_##N[3 * COUNT]; \
    __attribute__((noinline)) static void loop_##N(T *restrict to, const double *restrict x, int n) { \
        for (int k = 0; k < n; k++) to[k] = x[k]; \
    } \
    __attribute__((noinline)) static void loop_f##N(T *restrict to, const float *restrict x, int n) { \
        for (int k = 0; k < n; k++) to[k] = (T)(x[k] * 2.0f); \
    } \
    static void test_##N(void) { \
        printf(#T); \
        for (int k = 0; k < COUNT; k++) \
            printf(" %lld %lld", (long long)one_##N(d[k]), (long long)one_f##N(f[k])); \
        printf("\n"); \
        checksum = 0; \
        for (int n = COUNT; n <= 3 * COUNT; n += 7) { \
            loop_##N(from_##N, d, n); \
            for (int k = 0; k < n; k++) add(from_##N[k]); \
            loop_f##N(from_##N, f, n); \
            for (int k = 0; k < n; k++) add(from_##N[k]); \
        } \
        printf("%lx\n", checksum); \
    }
TYPES(EACH)

/* A conversion of what was an integer before must not be left out. */
static int through_double(long x) { return (int)(double)x; }
static unsigned char through_float(unsigned x) { return (unsigned char)(int)(float)x; }
static short narrow_long(long x) { return (short)(float)x; }

static const int constant_int = (int)1e10, constant_negative = (int)-1e10;
static const unsigned constant_unsigned[] = {(unsigned)-1.5, (unsigned)1e10, (unsigned)4e9};
static const unsigned char constant_char[] = {(unsigned char)300.5, (unsigned char)-3.5};
static const long constant_long = (long)1e30;
static const unsigned long constant_unsigned_long[] = {(unsigned long)1e30, (unsigned long)-1.0};

static const int constant_infinite[] = {(int)(1.0 / 0.0), (int)-__builtin_inf(), (int)(0.0 / 0.0)};

static int known(void) {
    double large = 3e9;
    float larger = 1e20f;
    return (int)large == (int)larger;
}

int main(void) {
    for (int k = 0; k < 3 * COUNT; k++) d[k] = values[k % COUNT], f[k] = values[k % COUNT];
#define TEST(T, N) test_##N();
    TYPES(TEST)
    printf("%d %d %d\n", through_double(1L << 40 | 5), through_double(-7), through_double(1L << 31));
    printf("%d %d %d\n", through_float(4000000001u), through_float(77), narrow_long(1L << 33 | 9));
    printf("%d %d %u %u %u\n", constant_int, constant_negative, constant_unsigned[0],
           constant_unsigned[1], constant_unsigned[2]);
    printf("%d %d %ld %lu %lu\n", constant_char[0], constant_char[1], constant_long,
           constant_unsigned_long[0], constant_unsigned_long[1]);
    printf("%d %d %u %d\n", (int)1e10, (short)70000.0, (unsigned)-1.0, known());
    int x = 1e10;
    unsigned char y = -1.0;
    x += (int)(0.5f + 3e9f);
    printf("%d %d %d\n", x, y, 3000000000.0 > 1 ? (int)3000000000.0 : 0);
    int by_division = 1.0 / 0.0, by_product = 1e200 * 1e200, written = __builtin_inf();
    printf("%d %d %d\n", by_division, by_product, written);
    for (int k = 0; k < 3; k++) printf("%d ", constant_infinite[k]);
    printf("%d\n", (int)__builtin_nan(""));
    switch (2147483647) { case (int)1e10: printf("case\n"); }
    return 0;
}
