/* Structs and unions: layout, nesting, arrays of them, assignment, pointers. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { double x, y; };
struct mixed { char c; short s; int i; char d; long l; float f; };
struct segment { struct point from, to; char name[5]; };
union number { int i; float f; unsigned char bytes[8]; };
struct tagged { int kind; union { int i; double d; }; struct { char a, b; } pair; };
struct node { int value; struct node *next; };
struct flexible { int count; int items[]; };
typedef struct { struct { int a[2][3]; } inner; const char *label; } deep;

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}

static struct point corner = {1.5, -2.5};
static struct segment segments[3] = {{{1, 2}, {3, 4}, "abc"}, {.to = {.y = 9}, .name = "wxyz"}};

int main(void) {
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(struct point), sizeof(struct mixed),
           sizeof(struct segment), sizeof(union number), sizeof(struct tagged), sizeof(deep));
    printf("%zu %zu %zu %zu %zu\n", offsetof(struct mixed, s), offsetof(struct mixed, i),
           offsetof(struct mixed, d), offsetof(struct mixed, l), offsetof(struct mixed, f));
    printf("%zu %zu %zu\n", offsetof(struct segment, to.y), offsetof(struct segment, name[2]),
           offsetof(struct tagged, pair.b));

    struct point p = corner, q;
    q = p;
    q.x += 10;
    printf("%g %g %g %g\n", p.x, p.y, q.x, q.y);
    struct point *r = &q;
    r->y = r->x * 2;
    (*r).x = -1;
    printf("%g %g\n", q.x, q.y);

    for (int i = 0; i < 3; i++)
        printf("%g %g %g %g '%s'\n", segments[i].from.x, segments[i].from.y, segments[i].to.x,
               segments[i].to.y, segments[i].name);
    segments[2] = segments[0];
    segments[2].name[1] = 'X';
    segments[0].to = corner;
    printf("%s %s %g\n", segments[2].name, segments[0].name, segments[0].to.x);

    struct mixed m = {'a', -2, 3, 'b', 1L << 40, 2.5f}, copy;
    memcpy(&copy, &m, sizeof m);
    printf("%c %d %d %c %ld %g\n", copy.c, copy.s, copy.i, copy.d, copy.l, copy.f);
    m.c += 1;
    m.s *= 5;
    m.f /= 2;
    m.l++;
    printf("%c %d %g %ld %ld\n", m.c, m.s, m.f, m.l, m.l * 2);

    union number n;
    n.f = 1.0f;
    printf("%x %d\n", n.i, n.bytes[3]);
    struct tagged t = {.kind = 1, .d = 2.5, .pair = {'p', 'q'}};
    printf("%d %g %c%c\n", t.kind, t.d, t.pair.a, t.pair.b);
    t.i = 7;
    printf("%d\n", t.i);

    struct node *list = NULL;
    for (int i = 0; i < 5; i++) list = push(list, i * i);
    int sum = 0;
    for (struct node *at = list; at; at = at->next) sum = sum * 10 + at->value % 10;
    printf("%d %d\n", sum, list->next->next->value);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }

    struct flexible *f = malloc(sizeof *f + 4 * sizeof(int));
    f->count = 4;
    for (int i = 0; i < f->count; i++) f->items[i] = i + 1;
    printf("%zu %d\n", sizeof *f, f->items[3]);
    free(f);

    deep d[2] = {{{{{1, 2, 3}, {4, 5, 6}}}, "first"}, {.label = "second"}};
    d[1].inner.a[1][2] = d[0].inner.a[1][1] + 1;
    deep *pd = d;
    printf("%d %d %s %s\n", d[1].inner.a[1][2], pd[1].inner.a[0][0], pd->label, (pd + 1)->label);
    int(*rows)[3] = d[0].inner.a;
    printf("%d %d\n", rows[1][0], (*rows)[2]);

    struct { int x; struct { int y, z; } w[2]; } anon = {1, {{2, 3}, {4, 5}}};
    anon.w[1].z += anon.w[0].y;
    printf("%d %d\n", anon.x, anon.w[1].z);
    struct point a[3] = {{1, 2}, {3, 4}, {5, 6}}, *end = a + 3;
    double total = 0;
    for (struct point *at = a; at < end; at++) total += at->x * at->y;
    printf("%g %td\n", total, end - a);
    return 0;
}
