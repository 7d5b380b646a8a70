// Functions that call each other, that keep something between calls, divide by what may be zero, read
// what the loop writes, or are pure only for some arguments: what the loops do is what the source does.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p mark-pure-calls | filecheck %s

#include <stdio.h>

#define N 13
static double a[N], b[N];
static int turns;

__attribute__((noinline)) static double half(double x) { return x / 2; }
__attribute__((noinline)) static double of_both(double x, int n) { return half(x) + half(n); }
__attribute__((noinline)) static int odd(int n);
__attribute__((noinline)) static int even(int n) { return n == 0 || odd(n - 1); }
__attribute__((noinline)) static int odd(int n) { return n && even(n - 1); }
__attribute__((noinline)) static double kept(double x)
{
    static double before;
    double result = before;
    before = x;
    return result;
}
__attribute__((noinline)) static double of_array(int i) { return a[i]; }
__attribute__((noinline)) static int quotient(int x, int y) { return x / y; }
__attribute__((noinline)) static double watched(double x)
{
    volatile double y = x;
    return y;
}
__attribute__((noinline)) static double through(double *p) { return *p += 1; }

// CHECK-LABEL: func.func @loops
// CHECK:         func.call @of_both({{.*}} {poly.pure}
// CHECK-NOT:     call @even({{.*}} {poly.pure}
// CHECK-NOT:     call @kept({{.*}} {poly.pure}
// CHECK-NOT:     call @of_array({{.*}} {poly.pure}
// CHECK-NOT:     call @watched({{.*}} {poly.pure}
// CHECK-NOT:     call @through({{.*}} {poly
// CHECK:         func.return
void loops(int n)
{
    for (int i = 0; i < n; i++)
        b[i] = of_both(a[i], i) + even(i);
    for (int i = 0; i < n; i++)
        b[i] += kept(a[i]);
    for (int i = 1; i < n; i++)
        a[i] = of_array(i - 1) + 1;
    for (int i = 0; i < n; i++)
        if (i % 3)
            b[i] += quotient(100, i % 3) + watched(a[i]);
    for (int i = 0; i < n; i++)
        b[i] += through(&a[n - 1 - i]);
    turns++;
}

int main(void)
{
    for (int n = 0; n <= N; n += n < 3 ? 1 : 5) {
        for (int i = 0; i < N; i++)
            a[i] = i * 5 % 9 - 4, b[i] = i;
        loops(n);
        printf("%d %d:", n, turns);
        for (int i = 0; i < N; i++)
            printf(" %a %a", a[i], b[i]);
        printf("\n");
    }
    return 0;
}
