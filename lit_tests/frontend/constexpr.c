// REQUIRES: cc
// RUN: polyopt-cc -std=c23 -Werror -Wall -Wextra -O0 --cache=off %s -o %t && %t | filecheck %s
// RUN: polyopt-cc -std=c23 -Werror -Wall -Wextra -O3 --cache=off %s -o %t && %t | filecheck %s

// C23: a constexpr object is a constant wherever one is asked for, and an object all the same; auto
// takes the type of the value, in static objects too; parameters of definitions need no name.

#include <stdio.h>

constexpr int N = 5;
constexpr double HALF = 0.5;
constexpr int M = N * 2 + (int)(HALF * 4);
constexpr struct { int first, last; } ENDS = {1, N};
constexpr char TEXT[] = "abc";
constexpr void *NOWHERE = nullptr;
enum { NEXT = N + 1 };
auto started = 3;
static auto scaled = HALF * 3;
static int table[N] = {[N - 1] = NEXT};

static int last(int, [[maybe_unused]] double unused, int c) { return c; }

static int chosen(int x) {
    constexpr int two_more = N + 2;
    static constexpr long stored = two_more;
    static long copies[two_more] = {stored};
    static_assert(sizeof copies == 7 * sizeof(long));
    const int *place = &two_more;
    switch (x) {
    case two_more: return (int)copies[0] + *place;
    case N: return 1;
    }
    return 0;
}

int main(void) {
    // CHECK: 12 1 5 abc 1 6
    printf("%d %d %d %s %d %d\n", M, ENDS.first, ENDS.last, TEXT, NOWHERE == nullptr, table[4]);
    // CHECK-NEXT: 3 1.5 8
    printf("%d %g %d\n", started, scaled, (int)alignof(typeof(scaled)));
    // CHECK-NEXT: 14 1 0 9
    printf("%d %d %d %d\n", chosen(7), chosen(5), chosen(1), last(7, 8, 9));
    thread_local static int kept = 4;
    // CHECK-NEXT: 4
    printf("%d\n", kept);
}
