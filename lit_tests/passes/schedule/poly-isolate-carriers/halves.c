// All that a row carries leads from its first half to its second: each half carries nothing (the example of §6.1 in Grosser, Enabling
// polyhedral optimizations in LLVM, 2011, with the subscript that is meant). Results are the source's, whatever the length of the row.
// RUN: polyopt-opt %s -p promote-scalars,if-convert,simplify-loops,detect-scops,poly-isolate-carriers,poly-print-loops | filecheck %s
// RUN: polyopt-cc -O0 -ffp-contract=off --run %s > %t.source
// RUN: polyopt-cc -O3 -ffp-contract=off --skip-pass=keep-what-pays --run %s > %t.made
// RUN: diff %t.source %t.made

#include <stdio.h>

// CHECK-LABEL: // mirrored:
// CHECK-NEXT:  //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT:  //     S0(c0);
// CHECK-NEXT:  //   for (c0 = n; c0 < 2 * n + 1; c0++) // parallel
// CHECK-NEXT:  //     S0(c0);
void mirrored(int n, double A[restrict 2 * n + 1])
{
    for (int i = 0; i <= 2 * n; i++)
        A[i] = A[2 * n - i];
}

// Downwards, where the halves meet at a quotient, and with a second array.
// CHECK-LABEL: // crossing:
// CHECK:       floord(n, 2){{.*}} // parallel
// CHECK:       floord(n, 2){{.*}} // parallel
void crossing(int n, double *restrict A, double *restrict B)
{
    for (int i = n - 1; i >= 0; i--) {
        double x = A[n - 1 - i] + B[i];
        A[i] = x - 1.0;
        B[i] = 0.5 * x;
    }
}

// In each row of a nest.
// CHECK-LABEL: // rows:
// CHECK:       // parallel
// CHECK:       // parallel
// CHECK:       // parallel
void rows(int n, int m, double A[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] = 0.5 * (A[i][m - 1 - j] + A[i][j]);
}

// Each iteration hands something to the next, too.
// CHECK-LABEL: // both:
// CHECK-NEXT:  //   for (c0 = 1; c0 < n; c0++)
// CHECK-NEXT:  //     S0(c0);
void both(int n, double *restrict A)
{
    for (int i = 1; i < n; i++)
        A[i] = A[n - 1 - i] + A[i - 1];
}

static double a[141], b[141];

static void fill(void)
{
    for (int i = 0; i < 141; i++)
        a[i] = (i * 5) % 11 - 4, b[i] = i * 3 % 7 - 2;
}

static void tell(const char *name, int n)
{
    double sum = 0;
    for (int i = 0; i < 141; i++)
        sum = sum * 0.75 + a[i] - 0.25 * b[i];
    printf("%s %d: %a\n", name, n, sum);
}

int main(void)
{
    for (int n = 0; n <= 70; n++) {
        fill(), mirrored(n, a), tell("mirrored", n);
        fill(), crossing(n, a, b), tell("crossing", n);
        fill(), rows(2, n, (double(*)[n])a), tell("rows", n);
        fill(), both(n, a), tell("both", n);
    }
    return 0;
}
