/* Local structs of which some members have a value: the others are zero. */
#include <stdio.h>
#include <stddef.h>
typedef struct { int a, b; } two;
typedef struct { char c; double d; short s[3]; two t; } mixed;
typedef union { int i; double d; } un;
struct bits { int a:3, b:7; int c; };
typedef struct { char n; un u; char z; } withun;
struct __attribute__((packed)) pk { char c; int i; double d; };
typedef struct { int n; int *p; struct { float x, y; }; } anon;
void dirty(void) { volatile char x[512]; for (int i = 0; i < 512; i++) x[i] = 0x55; }
void see(const void *p, int n) { const unsigned char *q = p; for (int i = 0; i < n; i++) printf("%d ", q[i]); puts(""); }
void f1(int k) {
    two t = { k };
    see(&t, sizeof t);
    two u = { .b = k };
    see(&u, sizeof u);
    two v = { k, k };
    see(&v, sizeof v);
}
void f2(int k) {
    mixed m = { k, .t.b = 2 };
    printf("%d %g %d %d %d %d %d\n", m.c, m.d, m.s[0], m.s[1], m.s[2], m.t.a, m.t.b);
    mixed n[2] = { [1].s[1] = k };
    printf("%g %d %d\n", n[0].d, n[1].s[0], n[1].s[1]);
}
void f3(int k) {
    withun w = { 1, { k } };
    printf("%d %d %d\n", w.n, w.u.i, w.z);
    struct bits b = { k, .c = 5 };
    printf("%d %d %d\n", b.a, b.b, b.c);
    struct pk p = { .i = k };
    see(&p, sizeof p);
    anon a = { .y = k };
    printf("%d %d %g %g\n", a.n, a.p == NULL, a.x, a.y);
}
void f4(int k) {
    two t[3] = { { k, 1 }, [2] = { .b = 3 } };
    see(t, sizeof t);
    struct { long double l; int i; } l = { .i = k };
    printf("%Lg %d\n", l.l, l.i);
    struct { two t, u; } n = { .u = { k } };
    see(&n, sizeof n);
    struct { struct {} e; int z; } e = {0};
    printf("%d\n", e.z);
}
int main(void) {
    for (int k = 0; k < 3; k++) {
        dirty();
        f1(k);
        dirty();
        f2(k);
        dirty();
        f3(k);
        dirty();
        f4(k);
    }
}
