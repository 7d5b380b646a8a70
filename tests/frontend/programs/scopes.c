/* Names: scopes and shadowing, linkage, static locals, typedefs, enumerations, sizeof. */
#define C_FROM_MACRO (B * 2)
#include <stddef.h>
#include <stdio.h>

int tentative;
int tentative;
extern int declared;
int declared = 7;
static int internal;
static int internal = 9;
extern int forward[];
int forward[4] = {1, 2, 3, 4};
typedef unsigned long word;
typedef int vector[3];
typedef struct list list;
struct list { int head; list *tail; };
enum { A, B = 10, C, D = B + C };
enum small { S1 = 1, S2 } global_enum = S2;
const int constant = 5;
const char *const messages[2] = {"first", "second"};

static int counter(void) {
    static int count;
    return ++count;
}
static int other_counter(void) {
    static int count = 10;
    {
        static int count = 100;
        count++;
        if (count > 101) return count;
    }
    return ++count;
}
static int parameter(int x) {
    {
        int x = 5;
        x++;
    }
    return x;
}
static int uses_extern(void) {
    extern int declared;
    int tentative = 3;
    {
        extern int tentative;
        tentative = 8;
    }
    return declared + tentative;
}

/* A name hides a type from its declarator on, in its own value too (C 6.2.1). */
typedef struct hidden { int x, y; } hidden;
static int hides_types(int n) {
    hidden *hidden = &(struct hidden){sizeof(*hidden), sizeof(hidden)};
    int sum = hidden->x + hidden->y;
    {
        word word = sizeof(word), *behind = &word, more[sizeof(word)];
        sum += (int)(*behind + sizeof more);
    }
    for (vector vector = {sizeof(vector), 2}; n; n--)
        sum += vector[0] + vector[1];
    typedef char word, vector[sizeof(word)];
    return sum + (int)sizeof(vector);
}

int main(void) {
    printf("hides types %d\n", hides_types(3));
    int x = 1;
    {
        int y = x;
        int x = 2;
        {
            int x = y + 10;
            printf("%d ", x);
        }
        printf("%d ", x);
    }
    for (int x = 5; x < 6; x++) {
        int x = 50;
        printf("%d ", x);
    }
    printf("%d\n", x);
    counter();
    counter();
    printf("%d ", counter());
    printf("%d ", other_counter());
    printf("%d\n", other_counter());
    printf("%d %d ", parameter(3), uses_extern());
    printf("%d %d\n", tentative, internal);
    printf("%d %d %d %d %d\n", A, B, C, D, global_enum);
    enum { A = 77 };
    printf("%d\n", A);
    word w = sizeof(word);
    vector v = {1, 2, 3};
    typedef char word_again;
    word_again wa = 'w';
    {
        typedef float word;
        word f = 0.5;
        printf("%g %zu\n", f, sizeof(word));
    }
    list l = {1, &l};
    printf("%lu %d %c %d\n", w, v[2], wa, l.tail->tail->head);
    struct inner { int a; } outer_s = {1};
    {
        struct inner { double a, b; } s = {1.5, 2.5};
        printf("%zu %g\n", sizeof s, s.b);
    }
    printf("%zu %d\n", sizeof outer_s, outer_s.a);
    printf("%zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long));
    printf("%zu %zu %zu %zu\n", sizeof(float), sizeof(double), sizeof(void *), sizeof(_Bool));
    printf("%zu %zu %zu\n", sizeof v, sizeof(vector[2]), sizeof(int(*)[5]));
    printf("%zu %zu %zu\n", sizeof(x + 1L), sizeof(x++), sizeof forward / sizeof forward[0]);
    printf("%d %zu %zu\n", x, sizeof(char[7]), sizeof(struct { char c; int i; }));
    printf("%zu %zu\n", _Alignof(double), _Alignof(struct { char c; short s; }));
    printf("%d %s %zu\n", constant, messages[1], sizeof(ptrdiff_t));
    _Static_assert(sizeof(int) == 4, "int");
    int C = C_FROM_MACRO;
    printf("%d\n", C);
    goto x;
x:
    printf("labels have their own names %d\n", x);
    return 0;
}
