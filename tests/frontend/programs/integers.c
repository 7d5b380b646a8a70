/* Unsigned wrap, shifts, bit operations and the extremes of each type. */
#include <limits.h>
#include <stdio.h>

static unsigned rotate(unsigned x, int by) { return x << by | x >> (32 - by); }
static unsigned long mix(unsigned long x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdUL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53UL;
    return x ^ x >> 33;
}

int main(void) {
    unsigned u = UINT_MAX;
    printf("%u %u %u\n", u + 1, u * u, 0u - 5);
    unsigned char uc = 250;
    uc += 10;
    printf("%d\n", uc);
    unsigned short us = 0;
    us--;
    printf("%d\n", us);
    unsigned long ul = ULONG_MAX;
    printf("%lu %lu\n", ul + 2, ul * 3);
    printf("%d %d %ld %ld\n", INT_MAX, INT_MIN, LONG_MAX, LONG_MIN);
    printf("%u %lu %llu\n", UINT_MAX, ULONG_MAX, ULLONG_MAX);

    for (int i = 0; i < 32; i += 5)
        printf("%d %u %d %u\n", 1 << (i % 31), 1u << i, -123456789 >> i, 3123456789u >> i);
    long l = -1;
    printf("%ld %lu %ld\n", l >> 3, (unsigned long)l >> 60, 1L << 40);
    char c = -128;
    printf("%d %d\n", c >> 1, (unsigned char)c >> 1);
    int amount = 3;
    long wide = 5;
    printf("%d %ld %d\n", 1 << wide, wide << amount, -1 >> wide);

    printf("%x %x %x %x\n", 0xf0f0u & 0xff00, 0xf0f0 | 0x0f, 0xff ^ 0x0f, ~0xffu);
    for (int i = 1; i < 32; i += 7) printf("%x ", rotate(0x12345678, i));
    printf("\n%lx %lx\n", mix(1), mix(0xdeadbeef));

    unsigned loops = 0;
    for (unsigned char k = 250; k != 5; k++) loops++;
    printf("%u\n", loops);
    loops = 0;
    for (unsigned k = 3; k < 10; k--) loops++;
    printf("%u\n", loops);
    unsigned a = 5, b = 7;
    printf("%d %d\n", a - b > 0, (int)(a - b));
    printf("%lu\n", (unsigned long)(a - b));
    printf("%d %d %d\n", -1 < 0u, -1L < 0u, (unsigned char)255 == (signed char)-1);
    printf("%d %d\n", 10 % 3, -10 % 3);
    printf("%lld\n", 9223372036854775807LL / -1);
    unsigned long long big = 1ULL << 63;
    printf("%llu %d\n", big, big > 0);
    return 0;
}
