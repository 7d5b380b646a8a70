/* Integer promotions, the usual arithmetic conversions, casts and assignments between types. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static int as_int(signed char c) { return c; }
static unsigned as_unsigned(unsigned char c) { return c; }
static double as_double(float f) { return f; }
static float as_float(double d) { return d; }
static signed char narrow(int i) { return i; }
static unsigned short narrow_unsigned(long l) { return l; }
static bool truth(double d) { return d; }

int main(void) {
    char c = 200;
    signed char sc = -1;
    unsigned char uc = 255;
    short s = -30000;
    unsigned short us = 65535;
    printf("char %d %d %d %d %d\n", c, sc, uc, s, us);
    printf("promoted %d %d %d\n", uc + 1, us + 1, sc - 1);
    printf("not %d %d %d\n", ~uc, ~us, !uc);

    int i = -1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    printf("compare %d %d %d %d\n", i < u, l < ul, i < (long)u, sc < uc);
    printf("mixed %u %ld %lu\n", i + u, l + u, i + ul);
    printf("divide %d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    printf("unsigned divide %u %u\n", -7 / 2u, -7 % 2u);
    printf("long %ld %ld\n", (long)i * 1000000007, -7L / 2);

    printf("truncate %d %d %d\n", (char)300, (short)70000, (int)5000000000L);
    printf("extend %ld %lu %ld\n", (long)i, (unsigned long)i, (long)(unsigned)i);
    printf("calls %d %u %d %d\n", as_int(200), as_unsigned(300), narrow(200), narrow_unsigned(-1));

    double d = 3.99;
    float f = 16777217.0;
    printf("from float %d %d %u %ld\n", (int)d, (int)-d, (unsigned)d, (long)1e15);
    printf("to float %.1f %.9g %.9g\n", f, (float)0.1, as_double(as_float(0.1)));
    printf("small %d %d %d\n", (signed char)100.7, (unsigned char)200.2, (short)-1000.5);
    printf("float arithmetic %.9g %.17g\n", f + 1.0f, f + 1.0);
    printf("int to float %.9g %.17g %.17g\n", (float)123456789, (double)-1, (double)ul);
    printf("big unsigned %.17g %.9g\n", (double)18446744073709551615ul, (float)4294967295u);
    printf("back %lu %u\n", (unsigned long)1e19, (unsigned)4e9);

    bool b = 0.5, zero = 0.0, p = &i, many = 256;
    printf("bool %d %d %d %d %d %d\n", b, zero, p, many, truth(-0.0), truth(1e-300));
    b += 5;
    printf("bool still %d %d\n", b, b + b);
    b--;
    printf("bool down %d\n", b);

    int8_t i8 = INT8_MIN;
    uint16_t u16 = 50000;
    int64_t i64 = INT64_MIN;
    uint64_t u64 = UINT64_MAX;
    printf("exact %d %d %ld %lu\n", i8, u16 * 2, i64, u64);
    i8--;
    u16 += 20000;
    u64 += 2;
    printf("wrapped %d %d %lu\n", i8, u16, u64);
    printf("ternary %ld %g %lu\n", 1 ? -1 : 2L, 1 ? 1 : 2.5, (unsigned long)(0 ? 1 : 2u));
    printf("constants %zu %zu %zu %zu %zu\n", sizeof 2147483647, sizeof 2147483648,
           sizeof 0x80000000, sizeof 4294967296u, sizeof 'a');
    printf("chars %d %d %d\n", '\377', '\x7f', 'ab');
    return 0;
}
