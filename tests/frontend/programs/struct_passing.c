/* Structs as arguments and results: in registers, in parts, in memory. */
#include <stdio.h>

struct pair { int a, b; };
struct mixed { double d; int i; };
struct floats { float x, y, z; };
struct bytes { char c[3]; };
struct one { long v; };
struct big { double v[4]; int n; };
struct pointers { const char *s; int *p; };
union either { int i; double d; };
struct empty_tail { char c; double d; char e; };

static struct pair make_pair(int a, int b) { return (struct pair){a, b}; }
static struct pair swap(struct pair p) { return make_pair(p.b, p.a); }
static struct mixed scale(struct mixed m, int by) {
    m.d *= by;
    m.i += by;
    return m;
}
static struct floats cross(struct floats a, struct floats b) {
    struct floats r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}
static struct bytes shift(struct bytes b) {
    b.c[0]++;
    b.c[2] = 'z';
    return b;
}
static struct big grow(struct big b, struct one o) {
    for (int i = 0; i < 4; i++) b.v[i] += o.v;
    b.n++;
    return b;
}
static int first(struct pointers p) { return p.s[0] + *p.p; }
static double get(union either e) { return e.d; }
static double many(struct mixed a, struct mixed b, struct mixed c, struct pair d, struct pair e,
                   struct pair f, struct pointers g, int h) {
    return a.d + b.d + c.d + a.i + b.i + c.i + d.a + d.b + e.a + e.b + f.a + f.b + first(g) + h;
}
static struct empty_tail tail(struct empty_tail t) {
    t.d += t.c + t.e;
    return t;
}
static struct pair recurse(struct pair p) {
    if (p.a <= 0) return p;
    p.a--;
    p.b += p.a;
    return recurse(p);
}

int main(void) {
    struct pair p = swap(make_pair(1, 2));
    printf("%d %d %d\n", p.a, p.b, swap(p).a);
    struct mixed m = scale((struct mixed){1.5, 2}, 3);
    printf("%g %d\n", m.d, m.i);
    struct floats x = {1, 2, 3}, y = {4, 5, 6}, z = cross(x, y);
    printf("%g %g %g\n", z.x, z.y, z.z);
    struct bytes b = shift((struct bytes){{'a', 'b', 'c'}});
    printf("%.3s\n", b.c);
    struct big g = {{1, 2, 3, 4}, 5}, h = grow(g, (struct one){10});
    printf("%g %g %d %d\n", h.v[0], h.v[3], h.n, g.n);
    g = grow(grow(g, (struct one){1}), (struct one){2});
    printf("%g %d\n", g.v[1], g.n);
    int number = 7;
    printf("%d\n", first((struct pointers){"A", &number}));
    union either e = {.d = 2.25};
    printf("%g\n", get(e));
    printf("%g\n", many(m, (struct mixed){2, 3}, (struct mixed){4, 5}, p, (struct pair){6, 7},
                        (struct pair){8, 9}, (struct pointers){"B", &number}, 10));
    struct empty_tail t = tail((struct empty_tail){1, 2, 3});
    printf("%d %g %d\n", t.c, t.d, t.e);
    printf("%d\n", recurse((struct pair){5, 0}).b);
    struct pair (*through)(struct pair) = swap;
    printf("%d\n", through(p).a);
    struct big (*large)(struct big, struct one) = grow;
    printf("%g\n", large(g, (struct one){100}).v[2]);
    printf("%d %d\n", (struct one){41}, make_pair(5, 6));
    struct pair chosen = number > 3 ? make_pair(1, 1) : swap(p);
    printf("%d %d\n", chosen.a, (number++, chosen).b);
    struct pair twice = p = chosen;
    printf("%d %d\n", twice.a, p.b);
    return 0;
}
