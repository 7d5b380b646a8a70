// Loops that are run as one, of which one runs nothing, is longer, or goes by another step: the results
// are the source's for no, one and a few iterations.
// RUN: printf 'scop longer\nfuse S0 S1\nscop empty\nfuse S0 S1\nscop reads\nfuse S0 S1; shift S1.i 2\nscop three\nfuse S0 S1\nfuse S1 S2\n' > %t.steps
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --schedule=%t.steps --run %s > %t.made
// RUN: diff %t.source %t.made
// RUN: printf 'scop reads\nfuse S0 S1\n' > %t.wrong
// RUN: not polyopt-cc -O3 --schedule=%t.wrong -c -o %t.o %s 2>&1 | filecheck %s

#include <stdio.h>

#define N 16

void longer(int n, int m, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 2; i < m; i++)
        b[i] = a[i] + 1;
}

// The second loop never runs, which only the caller knows.
void empty(int n, int m, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = i * 2;
    for (int i = m; i < n; i++)
        b[i] = a[i];
}

// What is read two further on has to be there: not without the shift.
// CHECK: error: 'fuse S0 S1' is illegal:
// CHECK: dependence from S0 to S1
void reads(int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = i * 3;
    for (int i = 0; i < n - 2; i++)
        b[i] = a[i + 2];
}

void three(int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = i * 4;
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i] + b[i - 1];
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
}

static double a[N], b[N];

static void tell(const char *name, int n)
{
    printf("%s %d:", name, n);
    for (int i = 0; i < N; i++)
        printf(" %a %a", a[i], b[i]), a[i] = b[i] = -i;
    printf("\n");
}

int main(void)
{
    for (int n = 0; n <= N; n += n < 4 ? 1 : 4) {
        for (int m = 0; m <= N; m += m < 4 ? 1 : 4)
            longer(n, m, a, b), tell("longer", n);
        empty(n, n, a, b), empty(n, n + 3, a, b), tell("empty", n);
        reads(n, a, b), tell("reads", n);
        three(n, a, b), tell("three", n);
    }
    return 0;
}
