// Functions that return from their loops, never, or nothing; whose parameters they change, whose locals
// live in memory, in loops and in conditions; called for what they do alone, with themselves as arguments.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p tail-calls,inline-functions | filecheck %s

#include <stdarg.h>
#include <stdio.h>

#define N 11
static double a[N], b[N];
static int calls;

static int find(int n, double x)
{
    for (int i = 0; i < n; i++)
        if (a[i] == x)
            return i;
    return -1;
}
static void nothing(double x) { (void)x; }
static int lowered(int n)
{
    int by = 0;
    while (n > 2) {
        n -= 2;
        by++;
    }
    return n * 10 + by;
}
static double local(int i)
{
    double kept[4] = {1, 2, 3, 4};
    kept[i & 3] += i;
    return kept[0] + kept[(i + 1) & 3];
}
static int counted(void) { return ++calls; }
static int many(int n, ...)
{
    va_list list;
    int s = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        s += va_arg(list, int);
    va_end(list);
    return s;
}
static int once(void)
{
    static int was;
    return was++;
}
static double half(double x) { return x / 2; }

// CHECK-LABEL: func.func @loops
// CHECK-NOT:     call @find(
// CHECK-NOT:     call @local(
// CHECK-NOT:     call @nothing(
// CHECK:         cmem.call_variadic @many
// CHECK:         func.return
void loops(int n)
{
    for (int i = 0; i < n; i++) {
        int at = find(n, i);
        b[i] = at < 0 ? half(half(half(i))) : a[at];
        nothing(b[i]);
    }
    for (int i = 0; i < n; i++)
        b[i] += lowered(i) + local(i) * (counted() & 1 && counted() & 2 ? 3 : 1);
    for (int i = 0; i < n; i++)
        b[i] += many(i % 3, i, 2 * i, 3) + once();
}

int main(void)
{
    for (int n = 0; n <= N; n += n < 3 ? 1 : 4) {
        for (int i = 0; i < N; i++)
            a[i] = i * 5 % 9 - 4, b[i] = i;
        loops(n);
        printf("%d %d:", n, calls);
        for (int i = 0; i < N; i++)
            printf(" %a", b[i]);
        printf("\n");
    }
    return 0;
}
