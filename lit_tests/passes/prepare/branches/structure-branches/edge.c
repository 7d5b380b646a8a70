// Conditions that are NaN, have effects, leave their loop or fall through, elements that only one way
// may touch, a loop inside of a branch: the results are the source's, also for no and one iteration.
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: polyopt-opt %s -p promote-scalars,clean-values,if-convert,structure-branches | filecheck %s

#include <stdio.h>

#define N 19
static double a[N], b[N], c[N];
static int at[N];

// The load behind the condition is of an element that is there only where it holds.
// CHECK-LABEL: func.func @guarded(
// CHECK:         scf.if
// CHECK:         memref.load
void guarded(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (at[i] >= 0 && at[i] < m && a[at[i]] > 0)
            b[i] = a[at[i]];
        else if (at[i] > 3 || a[i] < 0)
            c[i] = i;
}

// The same place in both ways, and in neither.
void both(int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i] != a[i])
            b[i] = 1;
        else if (a[i] > 0)
            b[i] = b[i] + a[i];
        if (!(a[i] < 0) && !(a[i] > 0))
            c[i] = c[i] + b[i];
    }
}

int falls(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        switch (at[i]) {
        case 0: s += 1; b[i] = 2;
        case 1: s += 3; c[i] = s; break;
        case 2: continue;
        default: if (i & 1) a[i] = -a[i];
        }
    return s;
}

// The loop inside runs only where the data say so, and how far.
void inside(int n)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        if (at[i] > 1)
            for (int j = 0; j < at[i]; j++)
                s += a[j];
        b[i] = s;
        if (s > 20)
            break;
    }
}

int counted(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 0 && k++ % 2)
            c[k % N] = i;
    return k;
}

static void tell(const char *name, int n, int result)
{
    printf("%s %d %d:", name, n, result);
    for (int i = 0; i < N; i++) {
        printf(" %a %a %a", a[i] == a[i] ? a[i] : 777, b[i], c[i]);
        a[i] = i * 5 % 9 - 4;
        b[i] = i, c[i] = -i, at[i] = i * 7 % 12 - 2;
    }
    volatile double zero = 0;
    a[4] = zero / zero, a[N - 1] = -0.0;
    printf("\n");
}

int main(void)
{
    tell("begin", 0, 0);
    for (int n = 0; n <= N; n += n < 3 ? 1 : 4) {
        guarded(n, N), tell("guarded", n, 0);
        both(n), tell("both", n, 0);
        tell("falls", n, falls(n));
        inside(n), tell("inside", n, 0);
        tell("counted", n, counted(n));
    }
    return 0;
}
