/* C as it was before prototypes: definitions with names alone, calls of what nobody declared. */
int printf(const char *, ...);

small(c, s, f) char c; short s; float f;
{
    return c + s + (int)(f * 10);
}

static double unordered(a, b, p) double b, *p; { return a + b + *p; }

int later_prototype(float);
int later_prototype(x) float x; { return x * 2; }

struct pair { long a; double b; };
static struct pair swapped(p, n) struct pair p; int n; { p.a += n; p.b -= n; return p; }

int (*chosen)() = small;
total;

int fewer(a, b) int a, b; { return a; }

main(argc, argv) char **argv;
{
    register n = 300;
    double d = 2.5;
    printf("%d %d\n", small(n, 70000, 1.5), small('a', 1, 0.25f));
    printf("%g\n", unordered(1, 2.0, &d));
    printf("%d\n", later_prototype(1.5));
    struct pair p = {1, 2};
    p = swapped(p, 5);
    printf("%ld %g\n", p.a, p.b);
    total = (*chosen)(1, 2, 3.0) + chosen(4, 5, 6.0);
    printf("%d %d\n", total, fewer(9, 1));
    printf("%d %d\n", undeclared(3, 2.5), abs(-4));
    printf("%d %d\n", *(const *)&total, (int)sizeof(volatile));
    return argc - 1;
}

undeclared(i, d) double d; { return i + d * 2; }
