// The first of equal greatest elements, NaN in front, between and behind, records in the last element of
// a block and in the first of the next, counters that are unsigned or go backwards, rows too short for a
// block: what is found is what the source finds.
// RUN: polyopt-cc -O0 --run %s > %t.source
// RUN: polyopt-cc -O3 --run %s > %t.made
// RUN: polyopt-cc -O3 -march=x86-64 --run %s > %t.narrow
// RUN: diff %t.source %t.made
// RUN: diff %t.source %t.narrow
// RUN: polyopt-cc -O3 --remarks -c -o %t.o %s 2>&1 | filecheck %s

#include <stdio.h>

#define N 700

// CHECK: edge.c:21:{{.*}}: applied: {{[0-9]+}} iterations at once are asked whether one of them changes anything [scan-records]
// CHECK-NOT: edge.c:2{{[0-9]}}:{{.*}}: missed:
int greatest(int n, const double *a, double *what)
{
    int at = 0;
    double most = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > most) {
            most = a[i];
            at = i;
        }
    *what = most;
    return at;
}

int last_of_equals(int n, const float *a)
{
    int at = -1;
    float most = -1e30f;
    for (int i = 0; i < n; i++)
        if (a[i] >= most) {
            most = a[i];
            at = i;
        }
    return at;
}

unsigned least(unsigned n, const int *a)
{
    unsigned at = 0;
    int least = 2147483647;
    for (unsigned i = n; i-- > 0;)
        if (a[i] < least) {
            least = a[i];
            at = i;
        }
    return at;
}

int not_less(int n, const double *a)
{
    int at = 0;
    double most = a[0];
    for (int i = 1; i < n; i++)
        if (!(a[i] <= most)) {
            most = a[i];
            at = i;
        }
    return at;
}

static double a[N];
static float b[N];
static int c[N];

static void tell(int n)
{
    double what = 0;
    int at = greatest(n, a, &what);
    printf("%d: %d %g %d %u %d\n", n, at, what, last_of_equals(n, b), least(n, c), not_less(n, a));
}

int main(void)
{
    volatile double zero = 0;
    double nan = zero / zero, infinite = 1 / zero;
    int sizes[] = {1, 2, 7, 31, 32, 33, 127, 128, 129, 255, 256, 257, 700};
    for (int kind = 0; kind < 8; kind++)
        for (int s = 0; s < 13; s++) {
            int n = sizes[s];
            for (int i = 0; i < N; i++) {
                double x = i * 37 % 101 - 50;
                if (kind == 1)
                    x = i;
                if (kind == 2)
                    x = -i;
                if (kind == 3)
                    x = 4;
                if (kind == 4 && i == n - 1)
                    x = 1000;
                if (kind == 5 && i % 50 == 0)
                    x = nan;
                if (kind == 6)
                    x = i % 128 == 127 ? infinite : i % 128 == 1 ? -infinite : x;
                if (kind == 7)
                    x = i % 2 ? 0.0 : -0.0;
                a[i] = x;
                b[i] = (float)x;
                c[i] = x == x && x < 1e9 && x > -1e9 ? (int)x : 0;
            }
            tell(n);
        }
    return 0;
}
