// What is filled with zeros and nothing else is done with is zero where the whole is copied to, and
// what is copied in between is filled even if it is written again later.
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p promote-scalars,split-locals | filecheck %s

#include <stdio.h>
#include <string.h>

typedef struct { unsigned words[40]; } words;
typedef struct { char name[12]; int key; } named;
typedef union { struct { long halves[2]; } whole; unsigned part[4]; } mixed;

// All words but one: those behind the one that is written.
// CHECK-LABEL: func.func @one_word(
// CHECK-NOT:     memref.alloca() {{.*}}xi8>
// CHECK:         %[[AT:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[REST:.*]] = cmem.offset %to, %[[AT]] stride 1
// CHECK:         %[[SIZE:.*]] = arith.constant 156 : i64
// CHECK:         func.call @memset(%[[REST]], %{{.*}}, %[[SIZE]])
void one_word(words *to, unsigned x)
{
    words r = {{0}};
    r.words[0] = x;
    *to = r;
}

// Two runs, and bytes that nobody has filled.
// CHECK-LABEL: func.func @two_runs(
// CHECK:         arith.constant 8 : i64
// CHECK:         func.call @memset(
// CHECK:         arith.constant 4 : i64
// CHECK:         func.call @memset(
// CHECK-NOT:     func.call @memset(
// CHECK:         func.return
void two_runs(words *to, unsigned x)
{
    words r;
    memset(&r, 0, 16);
    r.words[2] = x;
    r.words[9] = x;
    *to = r;
}

void bytes(named *to, int x)
{
    named r = {.key = x};
    *to = r;
}

mixed in_registers(unsigned x)
{
    mixed r;
    memset(&r, 0, sizeof r);
    r.part[0] = x;
    return r;
}

void written_later(words *first, words *last, unsigned x)
{
    words r;
    memset(&r, 0, sizeof r);
    *first = r;
    r.words[2] = x;
    *last = r;
}

void on_one_way(words *first, words *last, unsigned x)
{
    words r = {{0}};
    if (x) {
        r.words[2] = x;
        *first = r;
    } else
        memset(&r.words[4], 0, 8);
    r.words[9] = x;
    *last = r;
}

static void print(const char *what, const void *from, size_t size)
{
    printf("%s", what);
    for (size_t k = 0; k < size; k++)
        printf(" %02x", ((const unsigned char *)from)[k]);
    printf("\n");
}

int main(void)
{
    static words a, b;
    static named n;
    memset(&a, 0x55, sizeof a), memset(&b, 0x55, sizeof b), memset(&n, 0x55, sizeof n);
    one_word(&a, 3);
    print("one word", &a, sizeof a);
    two_runs(&b, 4);
    print("two runs", &b, 12);
    print("two runs", &b.words[9], 4);
    bytes(&n, 5);
    print("bytes", &n, sizeof n);
    mixed m = in_registers(6);
    print("registers", &m, sizeof m);
    written_later(&a, &b, 7);
    print("first", &a, sizeof a);
    print("last", &b, sizeof b);
    on_one_way(&a, &b, 8);
    print("first", &a, sizeof a);
    print("last", &b, sizeof b);
    on_one_way(&b, &a, 0);
    print("last", &a, sizeof a);
}
