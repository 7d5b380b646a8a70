// Structs travel in eightbytes: two floats in a double, a size and a flag in an integer. What was put
// together for a call is taken apart again by the function, and nothing of that is left where both
// are known; elsewhere bits are shifted. So are the members of unions.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-cc -O3 --emit=prepared %s -o - | filecheck %s

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct { float x, y, z; } vec;
typedef struct { vec at; float r; } ball;
typedef struct { double *a; int rows; short columns; unsigned char flag; } matrix;
typedef struct { unsigned char r, g, b, a; } pixel;

static vec less(vec a, vec b) { vec r = {a.x - b.x, a.y - b.y, a.z - b.z}; return r; }
static float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static float depth(vec from, ball b)
{
    vec d = less(from, b.at);
    float left = b.r - dot(d, d);
    if (left < 0)
        return -1;
    return left;
}

// CHECK-LABEL: func.func @deepest(
// CHECK-NOT:     xi8>
// CHECK:         memref.load %{{.*}}[] : memref<f32>
// CHECK-NOT:     trunci
// CHECK-NOT:     func.call
// CHECK:         return
float deepest(int n, const ball *b, vec from)
{
    float best = -2;
    for (int i = 0; i < n; i++) {
        float d = depth(from, b[i]);
        if (d > best)
            best = d;
    }
    return best;
}

// CHECK-LABEL: func.func @total(
// CHECK-NOT:     memref.alloca() {{.*}}xi8>
// CHECK:         cmem.int_to_ptr
// CHECK:         return
double total(matrix m)
{
    double s = m.flag;
    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < m.columns; j++)
            s += m.a[i * m.columns + j];
    return s;
}

// CHECK-LABEL: func.func @blend(
// CHECK-NOT:     memref.alloca() {{.*}}xi8>
// CHECK:         return
pixel blend(pixel a, pixel b)
{
    pixel r = {(a.r + b.r) / 2, (a.g + b.g) / 2, (a.b + b.b) / 2, a.a ^ b.a};
    return r;
}

// CHECK-LABEL: func.func @bits(
// CHECK-NOT:     memref.alloca() {{.*}}xi8>
// CHECK:         return
uint64_t bits(double x, unsigned k)
{
    union { double d; uint64_t whole; uint32_t half[2]; unsigned char c[8]; } u = {x};
    u.half[0] += k;
    u.c[6] ^= (unsigned char)k;
    uint64_t all = u.whole;
    return all + u.c[7] + (uint64_t)(u.d > 0);
}

// What lies across two pieces of something else, and three bytes that are no number.
// CHECK-LABEL: func.func @across(
// CHECK:         memref.alloca() {{.*}}xi8>
unsigned across(unsigned a)
{
    struct __attribute__((packed)) odd { unsigned char one; unsigned whole; };
    union { unsigned first; struct odd o; } u;
    u.o.one = 3, u.o.whole = a;
    return u.first;
}

// What no loop calls is left as it is.
void each(int n, pixel *p, uint64_t *all)
{
    for (int i = 0; i < n; i++) {
        p[i] = blend(p[i], p[i + 1]);
        all[i] = bits(i, 5) + across(i);
    }
}

int main(void)
{
    ball b[9];
    double a[12];
    for (int i = 0; i < 9; i++)
        b[i] = (ball){{i * 0.5f, 3 - i, i * i * 0.125f}, i * 1.5f};
    for (int i = 0; i < 12; i++)
        a[i] = i * 0.75;
    for (int n = 0; n < 9; n++)
        printf("%a\n", deepest(n, b, (vec){n * 0.25f, 1, 2}));
    printf("%a %a\n", total((matrix){a, 3, 4, 7}), total((matrix){a + 1, 2, -1, 255}));
    pixel p = blend((pixel){1, 2, 3, 4}, (pixel){255, 254, 253, 252});
    printf("%d %d %d %d\n", p.r, p.g, p.b, p.a);
    printf("%lx %lx %x\n", (long)bits(-2.5, 0xfffffff0u), (long)bits(1e300, 77), across(0x12345678));
}
