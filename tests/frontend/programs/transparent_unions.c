/* Parameters that are transparent unions: what any member takes, passed as the first one is (GNU C). */
#include <stdio.h>
#include <string.h>
#include <stddef.h>
struct a { int x; }; struct b { long y; };
typedef union { struct a *a; const struct b *b; void *any; } arg __attribute__((transparent_union));
union number { long d; unsigned long e; } __attribute__((__transparent_union__));
static int first(arg u, int more) { return u.a->x + more; }
static long twice(union number n) { return 2 * n.d; }
int later(arg u);
int before(struct a *p) { return later(p) + later((void *)p); }
int later(struct a *p) { return p->x; }
static int many(int a, int b, int c, int d, int e, int f, arg u, arg v) { return a + b + c + d + e + f + u.a->x + (v.any == NULL); }
int (*pointer)(struct a *) = later;
int main(void) {
    struct a one = {41};
    const struct b two = {7};
    arg whole = {.a = &one};
    printf("%d %d %d\n", first(&one, 1), first(whole, 2), first((void *)&one, 3));
    printf("%ld %ld %ld\n", (long)(ptrdiff_t)first((arg){.b = (const void *)&one}, 0), twice(-2L), twice((union number){15}));
    printf("%d %d\n", before(&one), pointer(&one) + later(&one));
    printf("%d %ld\n", many(1, 2, 3, 4, 5, 6, &one, 0), ((const struct b *)&two)->y);
    return 0;
}
