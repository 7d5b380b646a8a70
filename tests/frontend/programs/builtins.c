/* GNU C's builtin functions: bits, overflow at the limits, classes of numbers, the library's. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#define BITS(x) do { \
        printf("%d %d %d ", __builtin_popcount(x), __builtin_parity(x), __builtin_ffs(x)); \
        printf("%d ", __builtin_clrsb(x)); \
        printf("%d %d\n", (x) ? __builtin_clz(x) : -1, (x) ? __builtin_ctz(x) : -1); \
    } while (0)
#define LONG_BITS(x) do { \
        printf("%d %d %d ", __builtin_popcountl(x), __builtin_parityll(x), __builtin_ffsl(x)); \
        printf("%d ", __builtin_clrsbll(x)); \
        printf("%d %d\n", (x) ? __builtin_clzll(x) : -1, (x) ? __builtin_ctzl(x) : -1); \
    } while (0)
#define OVER(T, a, b) do { \
        T r1, r2, r3; \
        int o1 = __builtin_add_overflow(a, b, &r1), o2 = __builtin_sub_overflow(a, b, &r2); \
        int o3 = __builtin_mul_overflow(a, b, &r3); \
        printf("%d %d %d %lld %lld %lld ", o1, o2, o3, (long long)r1, (long long)r2, (long long)r3); \
        printf("%d\n", __builtin_mul_overflow_p(a, b, (T)0)); \
    } while (0)
#define CLASS(x) \
    printf("%d %d %d %d %d %d\n", __builtin_isnan(x), __builtin_isinf_sign(x), \
           !!__builtin_isfinite(x), !!__builtin_isnormal(x), !!__builtin_signbit(x), \
           __builtin_fpclassify(1, 2, 3, 4, 5, x))

static int kind_of(int x) {
    if (x == 0) return 0;
    if (x > 0) return 1;
    if (x < 0) return 2;
    __builtin_unreachable();
}

static int no_library(int a) {
    char text[20];
    __builtin_memset(text, 0, sizeof text);
    __builtin_strcpy(text, "abc");
    __builtin___sprintf_chk(text + 3, 0, 17, "%d", a);
    if (__builtin_strcmp(text, "abc42")) __builtin_abort();
    return __builtin_strlen(text);
}

static struct {
    int head;
    char name[6];
    struct {
        short x[3][4];
        char mark;
    } parts[2];
} whole;

#define SIZES(of)                                                              \
    printf("%s: %zd %zd %zd\n", #of, __builtin_object_size(of, 0),             \
           __builtin_object_size(of, 1), __builtin_object_size(of, 2))

static void object_sizes(int n, char *unknown) {
    char local[20];
    SIZES(local);
    SIZES(&local[4]);
    SIZES(whole.name);
    SIZES(&whole.name[2]);
    SIZES(&whole.head);
    SIZES(whole.parts);
    SIZES(whole.parts[1].x[1]);
    SIZES(&whole.parts[1].x[1][2]);
    SIZES(&whole.parts[1].mark);
    SIZES("abc");
    SIZES(unknown);
    SIZES(local + n);
    printf("%zd\n", __builtin_object_size(local + 30, 0));
}

int main(void) {
    static const int numbers[] = {0, 1, -1, 2, 255, 1 << 30, INT_MIN, INT_MAX, 0x5555aaaa};
    static const long longs[] = {0, 1, -1, 1L << 40, LONG_MIN, LONG_MAX, 0x0123456789abcdef};
    for (int i = 0; i < 9; i++) BITS(numbers[i]);
    for (int i = 0; i < 7; i++) LONG_BITS(longs[i]);
    printf("%x %x %lx\n", __builtin_bswap16(numbers[8]), __builtin_bswap32(numbers[8]),
           __builtin_bswap64(longs[6]));
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 9; k++) {
            int a = numbers[i], b = numbers[k];
            OVER(int, a, b);
            OVER(unsigned char, a, b);
            OVER(unsigned, (unsigned)a, b);
            OVER(long, (unsigned)a, b);
            OVER(short, a, (unsigned)b);
        }
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++) {
            long a = longs[i], b = longs[k];
            OVER(long, a, b);
            OVER(unsigned long, (unsigned long)a, (unsigned long)b);
            OVER(long, (unsigned long)a, (unsigned long)b);
            OVER(unsigned long, a, b);
            OVER(int, a, (unsigned long)b);
            long r;
            unsigned long u;
            printf("%d %d ", __builtin_smull_overflow(a, b, &r), __builtin_uaddl_overflow(a, b, &u));
            printf("%ld %lu\n", r, u);
        }
    static const double reals[] = {0, -0.0, 1.5, -1e308, 1e-310, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 8; i++) {
        CLASS(reals[i]);
        CLASS((float)reals[i]);
        CLASS((long double)reals[i]);
        for (int k = 0; k < 8; k++)
            printf("%d%d%d%d", __builtin_isunordered(reals[i], reals[k]),
                   __builtin_islessgreater(reals[i], reals[k]),
                   __builtin_isgreater(reals[i], reals[k]), __builtin_islessequal(reals[i], reals[k]));
        puts("");
    }
    printf("%d %d %d\n", kind_of(5), kind_of(-5), no_library(42));
    int n = 3;
    char *stack = __builtin_alloca(n + 1);
    for (int i = 0; i < n; i++) stack[i] = 'a' + i;
    stack[n] = 0;
    puts(stack);
    printf("%d %d\n", __builtin_constant_p(5), __builtin_types_compatible_p(int, const int));
    printf("%d %d\n", __builtin_types_compatible_p(int *, long), __builtin_choose_expr(1, 4, n));
    printf("%ld\n", __builtin_expect(n++, 3));
    __builtin_prefetch(&n);
    __builtin_prefetch((n++, &n), 1, 0);
    __builtin___clear_cache((char *)&n, (n--, (char *)(&n + 1)));
    int *aligned = __builtin_assume_aligned(&n, 4);
    printf("%d %g\n", *aligned, __builtin_fabs(-2.5));
    printf("%d\n", __builtin_frame_address(0) != 0);
    object_sizes(n, stack);
    const char *file = __builtin_FILE();
    int last = 0;
    while (file[last]) last++;
    printf("%s %s\n", __builtin_FUNCTION(), file + last - 2);
    return 0;
}
