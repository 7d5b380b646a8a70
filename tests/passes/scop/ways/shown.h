/* What the programs that run the loops share: two arrays, and what is in them afterwards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 4096
static double A[SIZE], B[SIZE];
static const int sizes[] = {0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33};
#define EACH(n) for (int at = 0, n; at < 12 && (n = sizes[at], 1); at++)

static void fill(void) {
    for (int i = 0; i < SIZE; i++) A[i] = i % 17 - 0.25 * (i % 5), B[i] = i % 3 - 1;
}
static void show(const char *name, int n, double result) {
    double a = 0, b = 0;
    for (int i = 0; i < SIZE; i++) a += A[i] * (i % 101 + 1), b += B[i] * (i % 103 + 1);
    printf("%s(%d) = %.17g: %.17g %.17g\n", name, n, result, a, b);
}
#define RUN(name, n, call) (fill(), call, show(name, n, 0))
#define SHOW(name, n, call) (fill(), show(name, n, call))
