/* Functions: recursion, pointers to them, callbacks, prototypes, inline, variable arguments. */
#include <stdio.h>
#include <stdlib.h>

typedef int (*operation)(int, int);
typedef double unary(double);

int later(int);
static inline int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
inline static int mul(int a, int b) { return a * b; }
static int apply(operation f, int a, int b) { return f(a, b); }
static int apply_plain(int f(int, int), int a, int b) { return (*f)(a, (b)); }
static operation choose(char c) { return c == '+' ? add : c == '-' ? sub : mul; }
static int (*choose_raw(int which))(int, int) { return which ? &add : &sub; }
static double twice(unary *f, double x) { return f(f(x)); }
static double half(double x) { return x / 2; }

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static void hanoi(int n, char from, char to, char by, int *moves) {
    if (n == 0) return;
    hanoi(n - 1, from, by, to, moves);
    ++*moves;
    hanoi(n - 1, by, to, from, moves);
}
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int compare_down(const void *a, const void *b) { return compare(b, a); }
static long many(char a, short b, int c, long d, float e, double f, unsigned char g, _Bool h,
                 const char *i, int j) {
    return a + b + c + d + (long)e + (long)f + g + h + *i + j;
}
static void nothing(void) {}
static void nothing_else(void) { return nothing(); }
int unprototyped();

struct object { int state; int (*method)(struct object *, int); };
static int advance(struct object *o, int by) { return o->state += by; }

static int depth;
static int global_effect(void) { return ++depth; }

int main(void) {
    operation table[] = {add, sub, mul};
    for (int i = 0; i < 3; i++) printf("%d %d ", table[i](7, 3), (*table[i])(2, 5));
    printf("%d %d\n", apply(mul, 4, 5), apply_plain(sub, 4, 5));
    printf("%d %d %d\n", choose('+')(1, 2), choose('-')(1, 2), choose('*')(1, 2));
    printf("%d %d\n", choose_raw(1)(5, 6), choose_raw(0)(5, 6));
    printf("%g %g\n", twice(half, 10), twice(&half, 3));
    printf("%d %d %d %d\n", fibonacci(15), ackermann(2, 3), is_even(10), is_odd(10));
    int moves = 0;
    hanoi(6, 'a', 'b', 'c', &moves);
    printf("%d\n", moves);
    int a[8] = {5, 2, 8, 1, 9, 3, 7, 4};
    qsort(a, 8, sizeof a[0], compare);
    for (int i = 0; i < 8; i++) printf("%d", a[i]);
    qsort(a, 8, sizeof a[0], compare_down);
    int key = 7, *found = bsearch(&key, a, 8, sizeof *a, compare_down);
    printf(" %d %td\n", a[0], found - a);
    printf("%ld\n", many(1, 2, 3, 4, 5.5f, 6.5, 250, 17, "a", 8));
    nothing_else();
    struct object o = {1, advance};
    o.method(&o, 5);
    printf("%d ", o.method(&o, 10));
    printf("%d\n", o.state);
    printf("%d %d\n", later(3), unprototyped(4, 5));
    int x = global_effect() * 10;
    printf("%d %d\n", x, depth);
    printf("%d %ld %lu %c %s %g %g %p\n", (char)-1, -1L, -1UL, 'c', "s", 1.5f, 2.5, (void *)0);
    printf("%hhd %hd %lld %5.2f|%-5d|%05d|%+d\n", (char)7, (short)8, 9LL, 3.14159, 42, 42, 42);
    fprintf(stderr, "to stderr %d\n", 5);
    return apply == 0;
}

int later(int n) { return n * 100; }
int unprototyped(int a, int b) { return a * b; }
