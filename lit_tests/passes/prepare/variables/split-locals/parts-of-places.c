// Where a copy moves a part of a place, or a part of one is cleared, the object stays in memory: it
// is no value of its type in between.
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p promote-scalars,split-locals | filecheck %s

#include <stdio.h>
#include <string.h>

typedef struct { char bytes[24]; } __attribute__((may_alias)) bytes;

// CHECK-LABEL: func.func @copied_over_an_end(
// CHECK:         memref.alloca() {{.*}}xi8>
long copied_over_an_end(const bytes *from, long x)
{
    struct { long whole[3]; int rest; } r;
    r.whole[0] = r.whole[1] = r.whole[2] = x, r.rest = 3;
    *(bytes *)((char *)&r + 4) = *from;
    return r.whole[0] ^ r.whole[1] ^ r.whole[2] ^ r.rest;
}

// CHECK-LABEL: func.func @copied_over_a_begin(
// CHECK:         memref.alloca() {{.*}}xi8>
long copied_over_a_begin(const bytes *from, long x)
{
    struct { int rest, more; long whole[3]; } r;
    r.whole[0] = r.whole[1] = r.whole[2] = x, r.rest = 3, r.more = 4;
    *(bytes *)((char *)&r + 4) = *from;
    return r.whole[0] ^ r.whole[1] ^ r.whole[2] ^ r.rest ^ r.more;
}

// CHECK-LABEL: func.func @cleared_over_an_end(
// CHECK:         memref.alloca() {{.*}}xi8>
long cleared_over_an_end(long x)
{
    struct { long whole; int rest; } r;
    r.whole = x, r.rest = 3;
    memset((char *)&r + 4, 0, 8);
    return r.whole ^ r.rest;
}

// CHECK-LABEL: func.func @whole_places(
// CHECK-NOT:     memref.alloca
// CHECK-LABEL: func.func @main(
long whole_places(const bytes *from, long x)
{
    struct { long first, whole[3], last; } r;
    r.first = 3, r.last = x, r.whole[0] = r.whole[1] = r.whole[2] = 1;
    *(bytes *)r.whole = *from;
    memset(&r.first, 0, 8);
    return r.first ^ r.whole[0] ^ r.whole[1] ^ r.whole[2] ^ r.last;
}

int main(void)
{
    bytes b;
    for (int i = 0; i < 24; i++)
        b.bytes[i] = (char)(i * i * 7);
    long x = 0x7fedcba987654321;
    printf("%lx %lx\n", copied_over_an_end(&b, x), copied_over_a_begin(&b, x));
    printf("%lx %lx\n", cleared_over_an_end(x), whole_places(&b, x));
}
