/* Integers of 128 bits: what the other integer types can do, they can. */
#include <stdio.h>

typedef unsigned __int128 wide;
typedef struct {
    char tag;
    __int128 value;
} tagged;

static const __int128 table[] = {1, -1, (__int128)1 << 100, ~(__int128)0 << 90};
static wide largest = ~(wide)0;

static void show(const char *what, wide x) {
    printf("%s %016llx%016llx\n", what, (unsigned long long)(x >> 64), (unsigned long long)x);
}

static void decimal(wide x) {
    if (x >= 10) decimal(x / 10);
    putchar('0' + (int)(x % 10));
}

static wide power(wide base, unsigned exponent) {
    wide result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1) result *= base;
    return result;
}

static int kind(__int128 x) {
    switch (x) {
    case -5: return 1;
    case (__int128)1 << 70: return 2;
    case 10 ... 20: return 3;
    default: return 4;
    }
}

static __int128 sum(const __int128 *a, int n) {
    __int128 s = 0;
    for (int i = 0; i < n; i++) s += a[i] * (i + 1);
    return s;
}

/* Numbers that do not fit a register of 64 bits count the iterations. */
static long count(__int128 first, __int128 last, int *marks) {
    long n = 0;
    for (__int128 i = first; i < last; i++) {
        marks[(int)(i - first)] += 1;
        n++;
    }
    return n;
}

int main(void) {
    __uint128_t a = 0x123456789abcdef0ULL;
    __int128_t b = -3;
    int marks[8] = {0};
    show("shifted", a << 68 | a >> 4);
    show("arithmetic", (wide)(b >> 1));
    show("sum", a * a + (wide)b);
    show("quotient", power(7, 45) / 1000000007);
    show("signed", (wide)(table[3] / 12345));
    show("rest", (wide)(table[3] % 12345));
    decimal(power(3, 80)), putchar('\n');
    decimal(largest), putchar('\n');
    show("table", (wide)sum(table, 4));
    printf("%d %d %d %d %d\n", kind(-5), kind((__int128)1 << 70), kind(15), kind(21), kind(70));
    printf("%zu %zu %zu\n", sizeof(tagged), _Alignof(__int128), __builtin_offsetof(tagged, value));
    long n = count(((__int128)1 << 80) - 2, ((__int128)1 << 80) + 5, marks);
    printf("%ld %d %d\n", n, marks[0], marks[6]);
    printf("%a %a %La\n", (double)table[2], (float)table[3], (long double)(table[2] + 1));
    show("rounded", (wide)(__int128)-1.5e30);
    show("unsigned", (wide)3e38f);
    show("extended", (wide)0x1.fffffffffffffffep100L);
    printf("%d %d\n", table[1] < 0, largest < 0);
    printf("%d\n", _Generic((b + 1u), __int128: 1, default: 2));
    printf("%d\n", _Generic((b + a), wide: 1, default: 2));
    __int128 r;
    int lost = __builtin_mul_overflow((__int128)1 << 100, 1 << 27, &r);
    printf("%d ", lost), show("times", (wide)r);
    lost = __builtin_add_overflow(largest, 1, &a);
    printf("%d ", lost), show("plus", a);
    tagged t = {'x', b}, *p = &t;
    p->value *= p->value;
    show("member", (wide)p->value--);
    show("after", (wide)p->value);
    show("swapped", __builtin_bswap128(power(5, 50)));
    int one __attribute__((mode(TI))) = 1;
    show("mode", (wide)one << 127);
    double x[4] = {1, 2, 3, 4};
    printf("%g\n", x[(wide)3] + x[r - r]);
    return a == 0 && !t.tag;
}
