/* The preprocessor: macros of all kinds, conditions, stringing and pasting, predefined names. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#define EMPTY
#define ONE 1
#define NEGATIVE -1
#define ADD(a, b) ((a) + (b))
#define STRING(x) #x
#define EXPAND_STRING(x) STRING(x)
#define PASTE(a, b) a##b
#define EXPAND_PASTE(a, b) PASTE(a, b)
#define PRINT(format, ...) printf(format "\n", __VA_ARGS__)
#define LOG(...) printf(__VA_ARGS__)
#define GNU(format, args...) printf(format, ##args)
static int RECURSIVE = 5;
#define RECURSIVE RECURSIVE + 1
#define TWICE(x) x x
#define MULTI(a, b) \
    do { \
        int t = a; \
        a = b; \
        b = t; \
    } while (0)
#define SUFFIX(x) x##f
#define ARRAY(name, type, n) type name[n]
#define PICK(_1, _2, _3, name, ...) name
#define COUNT(...) PICK(__VA_ARGS__, 3, 2, 1)
#define FIRST(x, ...) x

#if defined(ONE) && !defined MISSING && ONE + 1 == 2
static int chosen = 1;
#elif ONE
static int chosen = 2;
#else
#error not reached
#endif
#ifdef MISSING
#error not reached either
#endif
#if MISSING
#elif (ONE << 4) >= 16 && (-1 < 0) && 'a' == 97
#define SHIFTED 1
#else
#define SHIFTED 0
#endif
#undef ONE
#ifndef ONE
#define ONE 11
#endif
#if 0
this is " not C at all
#if 1
#else
#endif
#endif
#if UINT_MAX > 0 && 0x7fffffffffffffffLL > 0 && 18446744073709551615ULL > 5u
static int wide = 1;
#endif
#if __STDC_VERSION__ >= 199901L
static const char *standard = "c99";
#endif

int RECURSIVE_value;

int main(void) {
    int RECURSIVE_other = 4, a = 1, b = 2;
    printf("%d\n", RECURSIVE);
    printf("%d %d %d %d\n", chosen, SHIFTED, ONE, wide);
    printf("%d %d %d\n", 3 - NEGATIVE, 3 -NEGATIVE, -NEGATIVE);
    printf("%d %d\n", ADD(1, 2) * 3, ADD(ADD(1, 2), (3, 4)));
    printf("%s %s %s\n", STRING(a + b), STRING("quoted\n"), EXPAND_STRING(ONE));
    printf("%s\n", STRING( spaced   out  'c' ));
    int ab = 5, a11 = 6;
    printf("%d %d\n", PASTE(a, b), EXPAND_PASTE(a, ONE));
    PRINT("%d %d", 1, 2);
    LOG("%s\n", "variadic");
    GNU("no arguments\n");
    GNU("%d\n", 5);
    MULTI(a, b);
    printf("%d %d\n", a, b);
    printf("%g %g %s\n", SUFFIX(1.5), SUFFIX(0.25), TWICE("ab"));
    ARRAY(numbers, int, 3) = {1, 2, 3};
    printf("%d %d %d %d\n", numbers[2], COUNT(x), COUNT(x, y), COUNT(x, y, z));
    printf("%d %s\n", __LINE__, standard);
    printf("%d %d\n", FIRST(7, 8, 9), ADD (1,
           2));
    printf("%d\n", ADD(EMPTY 1, 2 EMPTY) /* comment */ + // another
                       1);
    printf("%d %d %d\n", 1 /**/ + /* x */ 2, 10 //*
           / 2, 4);
    printf("%d%d\n", RECURSIVE_other, RECURSIVE_value);
    printf("%s" "%c" "\n", "con" "cat", 'x');
    printf("%ld %lu\n", INT64_C(5000000000), UINT64_C(5));
    printf("%d\n", sizeof(__FILE__) > 1 && sizeof(__DATE__) == 12);
    return 0;
}
