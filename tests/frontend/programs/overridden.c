/* What is initialised anew in the same braces, and ranges whose value is computed once. */
#include <stdio.h>

struct pair { int a, b; unsigned f : 5, g : 9; };
struct outer { struct pair p; int z, list[3]; struct pair q[2]; char s[4]; const char *t; };

static int calls;
static struct pair made(int i)
{
    calls++;
    return (struct pair){i, 2 * i, 3, 4};
}
static void show(struct outer o)
{
    printf("%d %d %u %u, %d %d %d %d,", o.p.a, o.p.b, o.p.f, o.p.g, o.z, o.list[0], o.list[1], o.list[2]);
    for (int i = 0; i < 2; i++)
        printf(" %d %d %u %u", o.q[i].a, o.q[i].b, o.q[i].f, o.q[i].g);
    printf(", %d %d %s\n", o.s[0], o.s[1], o.t ? o.t : "none");
}

#define ANEW .p = {1, 2, 3, 4}, .p = {5}, .list = {1, 2, 3}, .list = {[1] = 9}, .t = "x", .t = 0
#define PARTS .q = {{1, 2, 3, 4}, {5, 6, 7, 8}}, .q[1] = {.g = 9}, .q[0].b = 10, .z = 1, .z = 2
#define RANGES .list = {7, 8, 9}, .list = {[0 ... 1] = 4}, .q = {{1, 2}, [0 ... 1].a = 3}, .s = "ab", .s = {'z'}
static struct outer all[] = {{ANEW}, {PARTS}, {RANGES}, {ANEW, PARTS}, [1] = {RANGES}};

int main(void)
{
    for (int i = 0; i < 4; i++)
        show(all[i]);
    struct pair v = {7, 14, 1, 2};
    struct outer some = {ANEW}, more = {PARTS}, most = {RANGES}, whole = {.z = 4, .p = {1}, .p = v};
    show(some);
    show(more);
    show(most);
    show(whole);
    struct outer before = {.q = {[0 ... 1] = made(3), [1] = {1}}, .p = v, .p = {.g = 6}};
    show(before);
    int c = 0, counted[6] = {[0 ... 1] = ++c, [2 ... 4] = ++c, [3] = c + 10};
    for (int i = 0; i < 6; i++)
        printf("%d ", counted[i]);
    printf("%d %d\n", c, calls);
    struct outer *kept[2] = {[0 ... 1] = c > 1 ? all + c++ : all};
    printf("%d %d %d\n", (int)(kept[0] - all), (int)(kept[1] - all), c);
    return 0;
}
