/* long double: the x87's 80 bits in constants, memory, arithmetic, conversions, calls, printf. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void show(long double x) {
    const unsigned char *bytes = (const unsigned char *)&x;
    printf("%.21Lg ", x);
    for (int i = 0; i < 10; i++) printf("%02x", bytes[i]);
    puts("");
}

long double least = LDBL_MIN / 4, third = 1.0L / 3, minus = -LDBL_MAX, zero = -0.0L;
const long double many[] = {1, 2.5, 0.1L, LDBL_TRUE_MIN, 0x1.8p-3L, 0xffffffffffffffffp0L};
struct alone { long double x; };
struct with { char c; long double x; };

static struct alone thrice(struct alone a) { a.x *= 3; return a; }
static struct with a_third(struct with a) { a.x /= 3; a.c++; return a; }

static long double sum(int count, ...) {
    va_list list;
    long double total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        total += va_arg(list, int);
        total += va_arg(list, long double);
    }
    va_end(list);
    return total;
}

static long double many_arguments(int a, double b, long double c, float d, long double e, int f) {
    return a + b * c + d * e + f;
}

int main(void) {
    show(least), show(third), show(minus), show(zero);
    for (int i = 0; i < 6; i++) show(many[i]);
    show(LDBL_MAX * 2), show(sqrtl(2)), show(LDBL_EPSILON);
    struct alone a = {1.1L};
    struct with b = {'a', 7};
    show(thrice(a).x), show(a_third(b).x), printf("%c\n", a_third(b).c);
    show(sum(3, 1, 2.5L, 2, 0.1L, 3, 1e4000L));
    show(many_arguments(1, 2.5, 3.25L, 4.5f, 0.1L, 6));
    volatile double d = 1e300;
    volatile float f = 0.1f;
    show(d * (long double)d), show(f), show((float)0.1L), show((double)0.1L);
    volatile long double v = -5.75L;
    printf("%d %ld %u %llu\n", (int)v, (long)v, (unsigned)-v, (unsigned long long)(-v * 1e18L));
    volatile unsigned long long u = ~0ull;
    volatile long s = -3;
    show(u), show(s), show(u + 1.0L);
    printf("%d %d %d %d %d\n", v < 0, v == -5.75, v != v, v > 3.0f, !v);
    v++, show(v), v += 1, show(v), show(-v);
    printf("%d %d %d\n", isnan(v), isinf(v * INFINITY) > 0, signbit(zero) != 0);
    printf("%zu %zu\n", sizeof(long double), _Alignof(long double));
    long double three[3] = {[1] = 2};
    for (int i = 0; i < 100; i++) three[2] += 1.0L / (i + 1);
    show(three[2]), show(three[0] + three[1]), show(v ? 1.0L : third);
    show(strtold("3.14159265358979323846", 0));
    static double from[4] = {1, 2, 3, 4};
    long double total = 0;
    for (int i = 0; i < 4; i++) total += from[i] * 0.1L;
    show(total);
    static long double special[] = {7 - 0.0L, 0.0L - 7, -0.0L + 0.0L, 0.0L * -1, 1 / 0.0L, 1 / -0.0L, INFINITY + 1.0L,
                                    3 / HUGE_VALL, -HUGE_VALL * 2, 0 / -3.0L};
    static int compared[] = {1.0L / 0 > 0, (NAN + 1.0L) == 1, INFINITY * 2.0L > 1, -0.0L == 0 * 1.0L};
    static double narrow = 2.0L / 0;
    for (int i = 0; i < 10; i++) printf("%La ", special[i]);
    printf("%d %d %d %d %a\n", compared[0], compared[1], compared[2], compared[3], narrow);
    return 0;
}
