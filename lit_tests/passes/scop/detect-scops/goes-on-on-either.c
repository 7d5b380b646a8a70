// RUN: polyopt-cc -O2 -fno-aggressive-loop-optimizations --skip-pass=keep-what-pays --emit=poly -o - %s | filecheck %s
// RUN: polyopt-cc -O3 --run --check %s | filecheck %s --check-prefix=WHAT

// A loop is left where its last condition fails, but only where the ones before have failed too: a
// path from the header to the header does not come to the second condition.

int printf(const char *, ...);
int a[100];

// CHECK-LABEL: func.func @either
// CHECK:         poly.stmt "S0" domain <"[n, m] -> { S0[i] : i >= 0 and (i < n or (n <= i < m)) }">
__attribute__((noinline)) int either(int n, int m)
{
    int i;
    for (i = 0; i < n || i < m; i++)
        a[i]--;
    return i;
}

// CHECK-LABEL: func.func @endless
// CHECK:         poly.stmt "S0" domain <"[n, m] -> { S0[i] : 0 <= i < n }">
__attribute__((noinline)) int endless(int n, int m)
{
    int i = 0;
    for (;;) {
        if (i < n) {
            a[i] += i;
            i++;
            continue;
        }
        if (i >= m)
            break;
        i++;
    }
    return i;
}

int main(void)
{
    for (int n = 0; n < 40; n += 13)
        printf("%d %d\n", either(n, 20), endless(20, n));
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum = sum * 3 + a[i] & 0xffff;
    printf("%d\n", sum);
}
// WHAT:      20 20
// WHAT-NEXT: 20 20
// WHAT-NEXT: 26 26
// WHAT-NEXT: 39 39
// WHAT-NEXT: 34917
