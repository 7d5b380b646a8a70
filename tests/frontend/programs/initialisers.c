/* Initialisers: designators, elided braces, strings, static objects with addresses. */
#include <stdio.h>

int zeros[5];
int some[5] = {1, 2};
int unsized[] = {5, 4, 3, [7] = 1, 2};
int matrix[2][3] = {1, 2, 3, 4};
int braced[][3] = {{1}, {2, 3}, {[2] = 9}};
char text[] = "hello";
char exact[5] = "hello";
char padded[8] = {"hi"};
const char *strings[] = {"one", "two" " " "three", [3] = "four"};
double numbers[3] = {1, 2.5f, -3};
float halves[] = {0.5, 1 / 3.0f};
struct point { int x, y; } origin, unit = {1, 1}, partial = {.y = 5};
struct line { struct point a, b; int style[3]; } lines[] = {
    {{1, 2}, {3, 4}, {5}},
    1, 2, 3, 4, 5, 6, 7,
    [4].b.y = 8, 9, [2] = {.style = {[1] = 7}, .a.x = 1},
};
union value { char c; long l; double d; } values[] = {{'a'}, {.d = 1.5}, {.l = -1}};
int target = 42;
int *pointer = &target;
int *inside = &some[1] + 2;
int (*row)[3] = &matrix[1];
char *middle = text + 2;
const char *const literal = &"abcdef"[3];
static int helper(int x) { return x + 1; }
int (*function)(int) = helper;
struct entry { const char *name; int (*call)(int); struct point *at; } table[] = {
    {"helper", helper, &unit}, {.at = &lines[1].b}};
long folded = (1L << 33) + sizeof(struct line) * 2 - 'a' / 2;
unsigned char small = 300 & 0xff;
_Bool yes = 17;
enum { FIRST = 3, SECOND, THIRD = SECOND * 2 } enumerated = THIRD;
static struct { char c; struct { short s[2]; } n; } nested = {'x', {{1, 2}}};
int negative = -5 / 2, modulus = -5 % 3, choice = 1 ? 10 : 20, logic = 3 && 0 || !0;
unsigned long as_number = (unsigned long)&target + 4;
void *nothing = 0;
unsigned long address_size = (unsigned long)&((struct line *)0)->style[1];

static int next_id(void) {
    static int id = 100;
    static int calls[3] = {1};
    calls[1]++;
    return id++ + calls[1];
}

static void print(const char *name, const int *a, int n) {
    printf("%s:", name);
    for (int i = 0; i < n; i++) printf(" %d", a[i]);
    printf("\n");
}

static void leave_on_stack(void) {
    volatile char dirt[1000];
    for (int i = 0; i < 1000; i++) dirt[i] = 117;
}

static void zeros_behind_many_values(int n) {
    int half[20] = {n, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    print("half", half, 20);
    char cube[][2][3] = {[0 ... 2] = {{3, 4, 5}, {6, 7, 8}}, {{9}, 10}, "abc"};
    for (int i = 0; i < (int)sizeof cube; i++) printf(" %d", (&cube[0][0][0])[i]);
    struct { int a[9]; char c; long z; } s = {{n, 2, 3, 4, 5, 6, 7, 8, 9}};
    printf(" %d %ld\n", s.c, s.z);
}

static int somewhere[3];
static _Bool there = &somewhere[1] != 0, is_null = (void *)0 == somewhere, named = "" != (char *)0;
static _Bool has_none = 0 == puts, both = puts && "s" != 0;
static char spelt[] = {'a', "b"[0], 1["pq"], "abc"[3]};
static int wide_one = L"wide"[1], below = -"\377"[0], byte_one = u8"\u00e9"[0], unit_one = u"\u20ac"[0];
static int chosen = somewhere == (int *)0 ? 4 : 5;

int main(int argc, char **argv) {
    print("zeros", zeros, 5);
    print("some", some, 5);
    print("unsized", unsized, sizeof unsized / sizeof *unsized);
    print("matrix", matrix[0], 6);
    print("braced", braced[0], 9);
    printf("%s %zu %.5s %s %d\n", text, sizeof text, exact, padded, padded[7]);
    printf("%s %s %d %s\n", strings[0], strings[1], strings[2] == 0, strings[3]);
    printf("%g %g %g %g %g\n", numbers[0], numbers[1], numbers[2], halves[0], halves[1]);
    printf("%d %d %d %d\n", origin.x, unit.y, partial.x, partial.y);
    print("lines", (int *)lines, sizeof lines / sizeof(int));
    printf("%c %g %ld\n", values[0].c, values[1].d, values[2].l);
    printf("%d %d %d %s %s %d\n", *pointer, *inside, (*row)[0], middle, literal, function(1));
    printf("%s %d %d %d\n", table[0].name, table[0].call(5), table[0].at->x, table[1].at->y);
    printf("%ld %d %d %d\n", folded, small, yes, enumerated);
    printf("%c %d %d\n", nested.c, nested.n.s[0], nested.n.s[1]);
    printf("%d %d %d %d %d %lu\n", negative, modulus, choice, logic, nothing == 0, address_size);
    printf("%d\n", as_number == (unsigned long)(&target + 1));
    next_id();
    printf("%d\n", next_id());

    int local[6] = {argc, [3] = argc + 1, argc + 2};
    print("local", local, 6);
    int big[40] = {1, [20] = argc * 7};
    print("big", big + 18, 4);
    struct line l = {.b = {argc}, .style = {7, 8}};
    print("line", (int *)&l, 7);
    struct line copies[2] = {l, {unit, partial}};
    print("copies", (int *)copies, 14);
    char word[10] = "abc", letters[] = {'x', 'y', 0};
    printf("%s %d %s\n", word, word[9], letters);
    char grid[][4] = {"abc", "de", ""};
    printf("%s %s %d %zu\n", grid[0], grid[1], grid[2][3], sizeof grid);
    const char *names[] = {argv[0] ? "yes" : "no", "x"};
    printf("%s %zu\n", names[0], sizeof names);
    int *p = (int[]){1, 2, 3};
    p[1] += argc;
    printf("%d %d\n", p[1], ((struct point){.y = argc}).y);
    for (int i = 0; i < 3; i++) {
        int fresh[3] = {i};
        fresh[1] += i;
        printf("%d %d %d ", fresh[0], fresh[1], fresh[2]);
    }
    union value u = {.d = 0.5};
    printf("\n%g\n", u.d);
    struct { int a[2]; struct point p; } t = {{1}, unit};
    printf("%d %d %d\n", t.a[0], t.a[1], t.p.x);
    double d[2][2] = {{argc}, {0.5, argc / 2.0}};
    printf("%g %g %g %g\n", d[0][0], d[0][1], d[1][0], d[1][1]);
    int scalar = {5};
    _Bool flags[3] = {2, 0.0, &scalar};
    printf("%d %d%d%d\n", scalar, flags[0], flags[1], flags[2]);
    static union value kept[] = {(union value)7L, (union value)0.25, {.d = 3}};
    static struct { int n; union value v; } pair = {1, (union value)1.5};
    static struct point inner = (struct point){.y = 4};
    static int literal = (int){6};
    printf("%ld %g %g %d %g %d %d\n", kept[0].l, kept[1].d, kept[2].d, pair.n, pair.v.d, inner.y, literal);
    leave_on_stack();
    zeros_behind_many_values(argc);
    printf("%d%d%d%d%d %d\n", there, is_null, named, has_none, both, chosen);
    printf("%s %d %d %d %d\n", spelt, wide_one, below, byte_one, unit_one);
    return 0;
}
