/* Operators: short circuit, comma, conditional, compound assignment evaluated once, order. */
#include <stdio.h>

static int calls;
static int trace(int value) {
    calls = calls * 10 + value;
    return value;
}
static int *where(int *p) {
    calls++;
    return p;
}

int main(void) {
    int a = trace(0) && trace(1), b = trace(2) || trace(3), c = trace(4) && trace(0) || trace(5);
    printf("%d %d %d %d\n", a, b, c, calls);
    calls = 0;
    if (trace(1) && (trace(0) || trace(2)) && !trace(0)) printf("taken ");
    printf("%d\n", calls);
    calls = 0;
    a = (trace(1), trace(2), 30);
    b = trace(0) ? trace(3) : trace(4) ? trace(5) : trace(6);
    printf("%d %d %d\n", a, b, calls);

    int x[4] = {1, 2, 3, 4};
    calls = 0;
    *where(x) += 5;
    (*where(x + 1))++;
    --*where(x + 2);
    x[calls] *= 2;
    printf("%d %d %d %d %d\n", x[0], x[1], x[2], x[3], calls);
    int i = 0;
    x[i++] += 10;
    x[i++] <<= 2;
    x[++i] -= 1;
    printf("%d %d %d %d %d\n", x[0], x[1], x[2], x[3], i);

    int n = 100;
    n += 5; n -= 1; n *= 2; n /= 3; n %= 50; n <<= 3; n >>= 1; n &= 0xff; n |= 0x100; n ^= 0x11;
    printf("%d\n", n);
    unsigned char uc = 200;
    uc += 100;
    printf("%d ", uc);
    uc -= 100;
    printf("%d ", uc);
    uc *= 3;
    uc <<= 1;
    printf("%d\n", uc);
    short s = 7;
    s /= 2.0;
    s += 0.9;
    printf("%d\n", s);
    double d = 10;
    d += 1;
    d /= 4;
    d *= 'a';
    d -= 1u;
    printf("%g\n", d);
    float f = 1;
    f /= 3;
    f += 0.1;
    printf("%.9g\n", f);
    unsigned u = 5;
    u -= 6;
    u >>= 4;
    printf("%u\n", u);
    long l = 1;
    l <<= 40;
    l += -1u;
    printf("%ld\n", l);
    int e = 5, g;
    g = e++ + 1;
    printf("%d %d ", e, g);
    g = --e * 2;
    printf("%d %d ", e, g);
    printf("%d\n", -e++);
    double h = 1.5;
    printf("%g ", h++);
    printf("%g ", ++h);
    printf("%g\n", h--);
    a = b = c = 7;
    printf("%d %d %d\n", a, b, c);
    char chain = a = 300;
    printf("%d %d\n", chain, a);
    printf("%d %d %d\n", 1 + 2 * 3 - 4 / 2 % 3, (1 + 2) * 3, 7 & 3 == 3);
    printf("%d %d %d %d\n", !5, !!5, !0.0, !"x");
    printf("%d %d\n", -(-5), +-+5);
    printf("%d %d %d\n", 5 > 3 > 1, 3 < 5 < 1, 1 == 1 == 1);
    printf("%d\n", a > 5 ? b > 5 ? 1 : 2 : 3);
    int max = a > b ? a : b, min = a < b ? a : b;
    printf("%d %d\n", max, min);
    a > b ? trace(8) : trace(9);
    (void)trace(7);
    printf("%d\n", calls);
    int value = a > 5 && b > 5;
    value += (a == 300) + (b != 7) + (c <= 7);
    printf("%d\n", value);
    long q = 5;
    printf("%ld %d\n", q ? q : 1, (q && 2.5) + (0.0 || &q));
    volatile int v = 3;
    v += v;
    printf("%d\n", v * v);
    x[0] = x[1] = x[2] = 9, x[3] = 1;
    printf("%d %d\n", x[0] + x[2], x[3]);
    return (a, b, c) == 7 ? 0 : 1;
}
