/* Two halves of one program: CALLER is compiled by one compiler, CALLEE by another. */
#include <stdarg.h>
#include <stdio.h>

struct s1 { char c; };
struct s3 { char c[3]; };
struct s8 { int a, b; };
struct s12 { int a; float b; short c; };
struct s16 { long a; double b; };
struct d16 { double a, b; };
struct f4 { float a; };
struct f8 { float a, b; };
struct f12 { float a, b, c; };
struct fi { float a; int b; };
struct s17 { char c[17]; };
struct s40 { long a[5]; };
struct nested { struct f8 f; struct { char c; } t; };
union u8 { int i; double d; };
union u16 { long l[2]; double d; };

#define TYPES(X) \
    X(s1) X(s3) X(s8) X(s12) X(s16) X(d16) X(f4) X(f8) X(f12) X(fi) X(s17) X(s40) X(nested)

signed char narrow(signed char a, unsigned char b, short c, unsigned short d, _Bool e, char f);
unsigned short narrow_result(int a);
_Bool bool_result(double a);
float floats(float a, double b, float c, int d);
double many(int a, double b, long c, float d, char e, double f, short g, double h, int i, double j,
            long k, double l, unsigned m, double n, long o, double p, int q, double r, double s);
struct s16 exhausted(long a, long b, long c, long d, long e, struct s16 f, long g, struct s8 h);
struct d16 exhausted_vectors(double a, double b, double c, double d, double e, double f, double g,
                             struct d16 h, double i, struct f4 j);
struct s40 hidden(long a, struct s40 b, struct s17 c, struct s8 d, long e, long f, long g);
double unions(union u8 a, union u16 b);
int callback(int (*f)(signed char, struct s16, struct s40), int n);
const char *pointers(const char *a, void *b, int *c);
typedef __int128 wide;
struct wide16 { wide a; };
struct wide32 { wide a; int b; };
double _Complex complexes(float _Complex a, double _Complex b, long double _Complex c, int d,
                          double _Complex e, float f, double _Complex g, double _Complex h,
                          float _Complex i, double j);
float _Complex complex_float(float _Complex a, struct f8 b);
long double _Complex complex_long(long double _Complex a, long double b);
struct c24 { float _Complex a; double _Complex b; };
struct c24 complex_record(struct c24 a, struct f8 b);
__attribute__((const)) double of_large(struct s40 a, struct d16 b);
__attribute__((const)) struct s40 large_of(long a);
__attribute__((pure)) long pure_of_large(struct s40 a);
wide wides(wide a, int b, __uint128_t c, wide d, long e, wide f, int g);
struct wide16 wide_records(int a, struct wide16 b, struct wide32 c, struct wide16 d);
struct s40 variable(const char *kinds, ...);
int by_list(const char *kinds, va_list list);
#define DECLARE(T) struct T pass_##T(int i, struct T a, double d, struct T b);
TYPES(DECLARE)

#ifdef CALLEE
double of_large(struct s40 a, struct d16 b) { return a.a[0] + b.a; }
struct s40 large_of(long a) { return (struct s40){{a, a + 1}}; }
long pure_of_large(struct s40 a) { return a.a[1]; }
double _Complex complexes(float _Complex a, double _Complex b, long double _Complex c, int d,
                          double _Complex e, float f, double _Complex g, double _Complex h,
                          float _Complex i, double j) {
    printf("%g %g %g %g %Lg %Lg %d %g %g\n", __real__ a, __imag__ a, __real__ b, __imag__ b,
           __real__ c, __imag__ c, d, __real__ e, __imag__ e);
    printf("%g %g %g %g %g %g %g %g\n", f, __real__ g, __imag__ g, __real__ h, __imag__ h,
           __real__ i, __imag__ i, j);
    return a + b * h;
}
float _Complex complex_float(float _Complex a, struct f8 b) { return a * b.a + b.b; }
long double _Complex complex_long(long double _Complex a, long double b) { return a * b; }
struct c24 complex_record(struct c24 a, struct f8 b) {
    a.b *= a.a;
    a.a += b.a;
    return a;
}
signed char narrow(signed char a, unsigned char b, short c, unsigned short d, _Bool e, char f) {
    printf("%d %d %d %d %d %d\n", a, b, c, d, e, f);
    return a - 1;
}
unsigned short narrow_result(int a) { return a; }
_Bool bool_result(double a) { return a; }
float floats(float a, double b, float c, int d) { return a + b * c - d; }
double many(int a, double b, long c, float d, char e, double f, short g, double h, int i, double j,
            long k, double l, unsigned m, double n, long o, double p, int q, double r, double s) {
    printf("%d %g %ld %g %d %g %d %g %d %g %ld %g %u %g %ld %g %d %g %g\n", a, b, c, d, e, f, g, h,
           i, j, k, l, m, n, o, p, q, r, s);
    return a + s;
}
struct s16 exhausted(long a, long b, long c, long d, long e, struct s16 f, long g, struct s8 h) {
    printf("%ld %ld %ld %g %ld %d %d\n", a, e, f.a, f.b, g, h.a, h.b);
    f.a += b + c + d;
    return f;
}
struct d16 exhausted_vectors(double a, double b, double c, double d, double e, double f, double g,
                             struct d16 h, double i, struct f4 j) {
    printf("%g %g %g %g %g %g\n", a, g, h.a, h.b, i, j.a);
    h.b = b + c + d + e + f;
    return h;
}
struct s40 hidden(long a, struct s40 b, struct s17 c, struct s8 d, long e, long f, long g) {
    printf("%ld %ld %.17s %d %ld %ld %ld\n", a, b.a[4], c.c, d.b, e, f, g);
    b.a[0] = a;
    return b;
}
double unions(union u8 a, union u16 b) { return a.d + b.l[1]; }
int callback(int (*f)(signed char, struct s16, struct s40), int n) {
    struct s16 a = {n, 0.5};
    struct s40 b = {{1, 2, 3, 4, n}};
    return f(-n, a, b) + n;
}
const char *pointers(const char *a, void *b, int *c) {
    *c = b != 0;
    return a + 1;
}
wide wides(wide a, int b, __uint128_t c, wide d, long e, wide f, int g) {
    printf("%ld %ld %d %lx ", (long)(a >> 64), (long)a, b, (long)(c >> 100));
    printf("%ld %ld %ld %d\n", (long)d, e, (long)f, g);
    return a - d + (wide)(c >> 10);
}
struct wide16 wide_records(int a, struct wide16 b, struct wide32 c, struct wide16 d) {
    printf("%d %ld %ld %d %ld\n", a, (long)(b.a >> 70), (long)c.a, c.b, (long)d.a);
    b.a += c.a << 80;
    return b;
}
int by_list(const char *kinds, va_list list) {
    int sum = 0;
    for (; *kinds; kinds++) switch (*kinds) {
            case 'i': sum += va_arg(list, int); break;
            case 'l': sum += va_arg(list, long); break;
            case 'd': sum += va_arg(list, double); break;
            case 'p': sum += *va_arg(list, int *); break;
            case 'm': sum += va_arg(list, struct s16).b; break;
            case 'v': sum += va_arg(list, struct d16).b; break;
            case 'f': sum += va_arg(list, struct f12).c; break;
            case '8': sum += va_arg(list, struct s8).b; break;
            case 'n': sum += va_arg(list, struct s17).c[16]; break;
            case 'b': sum += va_arg(list, struct s40).a[4]; break;
            case 'w': sum += va_arg(list, wide) >> 70; break;
            case 'W': sum += va_arg(list, struct wide16).a >> 70; break;
        }
    return sum;
}
struct s40 variable(const char *kinds, ...) {
    struct s40 result = {{0}};
    va_list list, copy;
    va_start(list, kinds);
    va_copy(copy, list);
    result.a[1] = by_list(kinds, list);
    result.a[2] = va_arg(list, int);
    va_end(list);
    result.a[3] = by_list(kinds, copy);
    va_end(copy);
    return result;
}
#define DEFINE(T) \
    struct T pass_##T(int i, struct T a, double d, struct T b) { \
        unsigned char *p = (void *)&a, *q = (void *)&b; \
        printf(#T " %d %g:", i, d); \
        for (int k = 0; k < sizeof a; k += sizeof a / 8 + 1) printf(" %d %d", p[k], q[k]); \
        printf("\n"); \
        return i ? a : b; \
    }
TYPES(DEFINE)
#endif

#ifdef CALLER
static int called(signed char a, struct s16 b, struct s40 c) {
    printf("called %d %ld %g %ld\n", a, b.a, b.b, c.a[4]);
    return a;
}
#define TEST(T) \
    { \
        struct T a, b, r; \
        unsigned char *p = (void *)&a, *q = (void *)&b; \
        for (int k = 0; k < sizeof a; k++) p[k] = k % 8 == 3 ? 62 : k + 1, q[k] = 40 - k / 2; \
        r = pass_##T(0, a, 1.5, b); \
        p = (void *)&r; \
        printf("%d ", p[0]); \
        r = pass_##T(1, a, 2.5, b); \
        struct T (*through)(int, struct T, double, struct T) = pass_##T; \
        printf("%d\n", p[sizeof r / 2]); \
        r = through(2, b, 3.5, a); \
    }
int main(void) {
    printf("%d\n", narrow(-100, 200, -30000, 60000, 1, 'x'));
    volatile int large = 0x12345678;
    printf("%d\n", narrow(large, large, large, large, large, large));
    printf("%d %d %d\n", narrow_result(large), bool_result(0.25), bool_result(0));
    printf("%g\n", floats(1.5f, 2.25, 3.5f, 4));
    printf("%g\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19));
    struct s16 r = exhausted(1, 2, 3, 4, 5, (struct s16){6, 7.5}, 8, (struct s8){9, 10});
    printf("%ld %g\n", r.a, r.b);
    struct d16 v = exhausted_vectors(1, 2, 3, 4, 5, 6, 7, (struct d16){8, 9}, 10, (struct f4){11});
    printf("%g %g\n", v.a, v.b);
    struct s40 h = hidden(1, (struct s40){{2, 3, 4, 5, 6}}, (struct s17){"sixteen letters."},
                          (struct s8){7, 8}, 9, 10, 11);
    printf("%ld %ld\n", h.a[0], h.a[3]);
    printf("%g\n", unions((union u8){.d = 1.5}, (union u16){{1, 2}}));
    printf("%d\n", callback(called, 7));
    int flag;
    printf("%s ", pointers("text", &flag, &flag));
    printf("%d\n", flag);
    struct s8 s8 = {1, 2};
    struct s16 s16 = {3, 4};
    struct d16 d16 = {5, 6};
    struct f12 f12 = {7, 8, 9};
    struct s17 s17 = {"sixteen letters."};
    struct s40 s40 = {{1, 2, 3, 4, 10}};
    struct s40 (*call)(const char *, ...) = variable;
    h = variable("ild8mnb", 1, 2L, 3., s8, s16, s17, s40, -1);
    printf("%ld %ld %ld\n", h.a[1], h.a[2], h.a[3]);
    h = variable("mmmmmvvvvvdp8lf", s16, s16, s16, s16, s16, d16, d16, d16, d16, d16, .5, &flag, s8,
                 7L, f12, -2);
    printf("%ld %ld %ld\n", h.a[1], h.a[2], h.a[3]);
    h = call("b8b8b8i", s40, s8, s40, s8, s40, s8, 'x', -3);
    printf("%ld %ld %ld\n", h.a[1], h.a[2], h.a[3]);
    wide w = (wide)-77 << 70;
    struct wide16 w16 = {(wide)33 << 70};
    h = variable("iwdwWiwiW", 1, w, 2., -w, w16, 4, w, 5, w16, -4);
    printf("%ld %ld %ld\n", h.a[1], h.a[2], h.a[3]);
    w = wides(w, 2, (__uint128_t)w << 3, -w, 5, 6, 7);
    printf("%lx %lx\n", (long)(w >> 64), (long)w);
    w16 = wide_records(1, w16, (struct wide32){5, 6}, (struct wide16){7});
    printf("%lx %lx\n", (long)(w16.a >> 64), (long)w16.a);
    struct s40 of5 = {{1, 2, 3, 4, 5}};
    double total = of_large(of5, d16);
    of5.a[0] = 10;
    total += of_large(of5, d16) + pure_of_large(of5);
    for (int i = 0; i < 3; i++) {
        of5.a[1] = i;
        total += pure_of_large(of5) + large_of(i).a[1];
    }
    printf("%g\n", total);
    double _Complex z = complexes(1.0f + 2.0if, 3.0 + 4.0i, 5.0L + 6.0iL, 7, 8.0 + 9.0i, 10, 11.0i,
                                  12.0 + 13.0i, 14.0f + 15.0if, 16);
    printf("%g %g\n", __real__ z, __imag__ z);
    float _Complex zf = complex_float(1.0f - 2.0if, (struct f8){3, 4});
    printf("%g %g\n", __real__ zf, __imag__ zf);
    long double _Complex zl = complex_long(1.0L - 2.0iL, 3);
    printf("%Lg %Lg\n", __real__ zl, __imag__ zl);
    struct c24 zr = complex_record((struct c24){1.0if, 2.0 + 3.0i}, (struct f8){4, 5});
    printf("%g %g %g %g\n", __real__ zr.a, __imag__ zr.a, __real__ zr.b, __imag__ zr.b);
    TYPES(TEST)
    return 0;
}
#endif
