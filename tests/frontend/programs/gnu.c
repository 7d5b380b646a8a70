/* GNU C's additions to expressions, statements, initialisers and declarations. */
#include <stddef.h>
#include <stdio.h>

#define larger(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

static int calls;
static int count(int x) { calls++; return x; }
static void ended(int *p) { printf("end of %d\n", *p); }

static int in_ranges(unsigned x) {
    switch (x) {
    case 1 ... 5: return 1;
    case 100 ... 100000: return 2;
    case 0xfffffff0 ... 0xffffffff: return 3;
    case 7: return 4;
    default: return 0;
    }
}

static int in_signed_ranges(long x) {
    switch (x) {
    case -1000000 ... -1: return 1;
    case 0: return 2;
    case 1 ... 1000000000000: return 3;
    }
    return 0;
}

static int cleaned(int how) {
    int outer __attribute__((cleanup(ended))) = 1;
    for (int i = 0; i < 3; i++) {
        int inner __attribute__((cleanup(ended))) = 10 + i;
        if (how == 1 && i == 1) break;
        if (how == 2 && i == 0) continue;
        if (how == 3) return inner;
        if (how == 4 && i == 1) goto out;
        inner += 100;
    }
out:
    return outer;
}

struct flexible { int n; char text[]; };
static struct flexible greeting = {5, "hello"};
static struct { int a; union { int b; float c; }; struct { int d, e; }; } anonymous = {1, {2}, {3, 4}};
static int ranged[12] = {[2 ... 4] = 7, [6] = 1, 2, [10 ... 11] = 9};
static struct { int x[3]; } nested[3] = {[0 ... 1].x = {1, 2}, [2].x[1 ... 2] = 5};
struct point { int x, y; };
enum later;
static enum later *pointer;
enum later { FIRST = 1, LAST = 5 };

union some {
    int number;
    float real;
    const char *text;
};
static float real_of(union some given) { return given.real; }
static union some of_text(const char *text) { return (union some)text; }
static void unions_of_values(void) {
    union some one = (union some)7, other;
    other = (union some)2.5f;
    printf("%d %g %g %s\n", one.number, other.real, real_of((union some)1.25f), of_text("text").text);
    for (int i = 0; i < 3; i++) {
        union some chosen = i & 1 ? (union some)i : (union some)(i * 10);
        printf("%d\n", chosen.number + ((union some)5).number);
    }
}

int written_in_assembly(void);
asm("\t.globl written_in_assembly\nwritten_in_assembly:\n\tmovl $42, %eax\n\tret\n");

static const char *name_outside = __PRETTY_FUNCTION__;
static size_t length_outside = sizeof __func__ + sizeof __FUNCTION__;

int main(void) {
    printf("%d %g\n", larger(3, count(4)), larger(2.5, 1));
    printf("%d %d", count(0) ?: 7, count(5) ?: 7);
    printf(" %d\n", calls);
    for (int i = 0; i < 9; i++) printf("%d", in_ranges(i));
    printf("%d%d%d%d\n", in_ranges(99), in_ranges(100), in_ranges(100001), in_ranges(-3));
    printf("%d%d%d%d%d\n", in_signed_ranges(-1), in_signed_ranges(-1000001), in_signed_ranges(0),
           in_signed_ranges(1000000000000), in_signed_ranges(1000000000001));
    for (int i = 0; i < 5; i++) printf("%d\n", cleaned(i));
    printf("%zu %s\n", sizeof greeting, greeting.text);
    printf("%d %d %d\n", anonymous.b, anonymous.d, anonymous.e);
    for (int i = 0; i < 12; i++) printf("%d ", ranged[i]);
    for (int i = 0; i < 9; i++) printf("%d ", nested[i / 3].x[i % 3]);
    puts("");
    struct point p = {y : 2, x : 1};
    int old[3] = {[1] 4};
    printf("%d %d %d\n", p.x, p.y, old[1]);
    __auto_type q = 2.5;
    printf("%g %zu %zu %d\n", q, sizeof *pointer, sizeof(void), sizeof(main) == 1);
    int x = 5, y;
    __asm__ volatile("" : "+r"(x) : : "memory");
    __asm__("" : "=r"(y) : "0"(x + 1));
    asm volatile("" ::: "memory");
    printf("%d %d\n", x, y);
    static int by_machine[2] __asm__("by_machine") __attribute__((used));
    asm("pause # and\n\tmovl $7, by_machine(%rip)");
    asm volatile("movl $8, %%eax; movl %%eax, {by_machine+4(%%rip)|nothing}" ::: "%eax", "cc");
    printf("%d %d\n", by_machine[0], by_machine[1]);
    printf("%d\n", written_in_assembly());
    int sum = 0;
    for (int i = 0; ({ sum += i; i < 4; }); i++) {
        sum += ({ if (i == 2) continue; 100; });
    }
    printf("%d\n", sum);
    struct point made = ({ struct point t = {8, 9}; t.x++; t; });
    printf("%d %d\n", made.x, made.y);
    printf("%d\n", _Generic(x, long: 1, int: 2, default: 3) + _Generic(q, float: 1, default: 20));
    static _Alignas(32) char on_32;
    int aligned __attribute__((aligned(64))) = 1;
    printf("%d %d %d\n", (int)((size_t)&on_32 % 32), (int)((size_t)&aligned % 64), (int)__alignof__(aligned));
    unions_of_values();
    int one = 1, __attribute__((deprecated)) two = one + 1, __attribute__((aligned(64))) *far = &two;
    printf("%d %d %d\n", one, *far, (int)((size_t)&far % 64));
    printf("%s %s %s %zu %zu\n", name_outside, __PRETTY_FUNCTION__, __FUNCTION__, sizeof __func__, length_outside);
    return 0;
}
