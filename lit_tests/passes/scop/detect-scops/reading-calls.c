// Calls that only read memory are part of statements where nothing that they may read is written: not
// what they are given, not what their bodies name; where nobody knows, not what anybody may know of.
// Around a store to what is read, the loops are taken one by one.
// RUN: polyopt-cc -O3 --remarks -c %s -o /dev/null 2>&1 | filecheck %s
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made

#include <stdio.h>

#define N 19
static double table[16], seen[N];

__attribute__((noinline)) static double look(double x)
{
    int i = 0;
    while (i < 15 && table[i] < x)
        i++;
    return table[i] + i;
}
__attribute__((noinline)) static double horner(const double *c, int n, double x)
{
    double r = 0;
    for (const double *e = c + n; e > c;)
        r = r * x + *--e;
    return r;
}
__attribute__((weak, pure)) double unknown(double x) { return seen[0] + x; }

// CHECK: :35:{{[0-9]+}}: analysis: static control part
// CHECK: :38:{{[0-9]+}}: analysis: static control part
__attribute__((noinline)) double around(int n, double *restrict a)
{
    double last = 0;
    for (int i = 0; i < n; i++)
        a[i] = last = look(i) * i;
    table[3] += 1;
    for (int i = 0; i < n; i++)
        a[i] += look(i) + horner(seen, i, 0.5);
    return last;
}
// CHECK: missed: the call of look may read a, which is written here: declare that pointer 'restrict'
__attribute__((noinline)) void any(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            a[i] += look(a[i]);
}
// CHECK: missed: the call of horner may read a, which is written here [
__attribute__((noinline)) void given(int n, double *restrict a)
{
    for (int i = 0; i < n; i++)
        a[i] = horner(a, i, 0.5);
}
// CHECK: missed: the call of unknown may read seen, which is written here [
__attribute__((noinline)) void anything(int n)
{
    for (int i = 1; i < n; i++)
        seen[n - i - 1] = unknown(seen[n - i]) / 2;
}

int main(void)
{
    double a[N];
    for (int n = 0; n <= N; n += 1 + n / 3) {
        for (int i = 0; i < N; i++)
            a[i] = i % 5, seen[i] = i & 3, table[i % 16] = i % 16 * 1.5;
        double last = around(n, a);
        any(n, a);
        any(n < 16 ? n : 16, table);
        given(n, a);
        anything(n);
        printf("%d %a:", n, last);
        for (int i = 0; i < N; i++)
            printf(" %a %a %a", a[i], seen[i], table[i % 16]);
        printf("\n");
    }
    return 0;
}
