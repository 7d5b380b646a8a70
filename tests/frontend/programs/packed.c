/* Members where their types alone would not let them lie. */
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) packed { char c; int i; double d; short s; };
struct half { char c; int i __attribute__((packed)); long l; };
#pragma pack(push, 2)
struct limited { char c; int i; double d; };
#pragma pack(push, 1)
struct tight { char c; struct limited inner; float f[3]; };
#pragma pack(pop)
struct limited_again { char c; double d; };
#pragma pack(pop)
struct natural { char c; double d; };
struct holder { char c; struct packed p[3]; };
struct __attribute__((aligned(32))) wide { int i; };
typedef int loose __attribute__((aligned(1)));
typedef int __attribute__((may_alias)) anything;

static struct packed changed(struct packed p) { p.i *= 2; p.d += 0.5; return p; }
static int sum(const struct packed *p, int n) {
    int total = 0;
    for (int k = 0; k < n; k++) total += p[k].i;
    return total;
}

int main(void) {
    printf("%zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof(struct packed), sizeof(struct half),
           sizeof(struct limited), sizeof(struct tight), sizeof(struct limited_again),
           sizeof(struct natural), sizeof(struct holder), sizeof(struct wide));
    static struct packed fixed = {1, 2, 3.5, 4};
    struct packed p = fixed, q[5];
    p.i += 5, p.d *= 2, p.s--;
    p = changed(p);
    printf("%d %d %g %d\n", p.c, p.i, p.d, p.s);
    for (int k = 0; k < 5; k++) q[k] = p, q[k].i += k;
    printf("%d\n", sum(q, 5));
    struct tight t = {1, {2, 3, 4.5}, {1, 2, 3}};
    float total = 0;
    for (int k = 0; k < 3; k++) t.f[k] *= k + 1;
    for (int k = 0; k < 3; k++) total += t.f[k];
    t.inner.d += total;
    printf("%g %g\n", total, t.inner.d);
    struct holder h = {.p[1].d = 7};
    h.p[2] = h.p[1];
    volatile struct packed v = {1, 2, 3, 4};
    v.i += 40;
    printf("%g %d\n", h.p[2].d, v.i);
    char raw[20];
    memset(raw, 1, sizeof raw);
    *(loose *)(raw + 1) += 1;
    printf("%x %d\n", *(loose *)(raw + 1), raw[1]);
    double d = 1.5;
    *((anything *)&d + 1) ^= 1 << 31;
    printf("%g\n", d);
    return 0;
}
