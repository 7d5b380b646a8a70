// Bytes that are set and read as others, padding, copies from a struct to itself, members that one
// branch sets, arrays in structs at places that data choose, structs in structs in loops: the results
// are the source's.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p promote-scalars,split-locals | filecheck %s

#include <stdio.h>
#include <string.h>

struct pair { char low; int high; };
struct deep { struct pair in[2]; short s; double d; };

// Half of the bytes of a member are written anew: it stays memory.
// CHECK-LABEL: func.func @halves(
// CHECK:         memref.alloca() {{.*}}xi8>
int halves(int x, int i)
{
    union { int whole; unsigned char part[4]; } u;
    u.whole = x;
    u.part[1] = 7;
    u.part[i & 3] += 1;
    return u.whole;
}

// Whole copies there and back, and onto itself.
int swapped(int a, int b)
{
    struct pair x = {(char)a, b}, y = {(char)b, a}, t;
    t = x, x = y, y = t;
    x = x;
    return x.low * 1000 + x.high * 10 + y.low + y.high;
}

// What only one way sets is read behind both.
int one_way(int n)
{
    struct pair p;
    memset(&p, 0x41, sizeof p);
    if (n > 3)
        p.high = n;
    else
        p.low = (char)n;
    return p.high ^ p.low;
}

// A struct that lives from one iteration to the next, and one that is new in each.
double carried(int n, const double *a)
{
    struct deep kept = {{{1, 2}, {3, 4}}, 5, 0.5};
    for (int i = 0; i < n; i++) {
        struct deep now = kept;
        now.in[1].high += i;
        now.d += a[i] * now.in[1].high;
        now.in[i & 1].low++;
        kept = now;
        if (i % 3 == 2)
            memset(&kept.in[0], 0, sizeof kept.in[0]);
    }
    return kept.d + kept.in[0].low * 100 + kept.in[0].high + kept.in[1].low + kept.s;
}

// The address goes round: through another variable, back, and into one of two.
int chosen(int n)
{
    struct pair p = {1, 2}, q = {3, 4}, *r = n > 2 ? &p : &q;
    r->high += n;
    return p.high * 100 + q.high;
}

// Bits that are a double, an integer and bytes.
int bits(double x)
{
    union { double d; long l; unsigned char c[8]; } u = {x};
    long seen = u.l >> 52;
    u.l ^= 1L << 63;
    return (int)seen + (u.d < 0) * 10000 + u.c[7];
}

int main(void)
{
    double a[7] = {1, 2, 4, 8, 16, 32, 64};
    for (int n = 0; n < 8; n++) {
        printf("%d %d %d %d %d %d\n", n, halves(n * 77777, n), swapped(n, 3 * n), one_way(n),
               chosen(n), bits(n - 3.5));
        printf("%a\n", carried(n < 7 ? n : 7, a));
    }
    return 0;
}
