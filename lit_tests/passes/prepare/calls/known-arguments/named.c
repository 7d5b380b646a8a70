// A call passes a number where it passes the name of one: of an object that nobody writes, of a
// local variable that is set to nothing else.
// RUN: polyopt-cc -O3 --emit=source -o - %s | polyopt-opt -p known-arguments | filecheck %s

static const int taps = 5;
static int width = 6;
static int touched = 7;
static int kept = 8;
int *where(void) { return &kept; }

void filter(int n, int d, double *x)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < d; k++)
            x[i * d + k] *= 0.5;
}

// CHECK-LABEL: func.func @named
// CHECK:         func.call @filter.5(
// CHECK:         func.call @filter.6(
void named(int n, double *x)
{
    filter(n, taps, x);
    filter(n, width, x);
}

// CHECK-LABEL: func.func @others
// CHECK-NOT:     func.call @filter.
// CHECK:         func.return
void others(int n, double *x)
{
    int d = 3;
    if (n > 1000)
        d = 4;
    touched = n;
    filter(n, touched, x);
    filter(n, kept, x);
    filter(n, d, x);
}

static void scale(unsigned long n, int d, double *x)
{
    for (unsigned long i = 0; i < n; i++)
        x[i] *= d;
}

// CHECK-LABEL: func.func private @scale(
// CHECK-NEXT:    %n{{.*}} = arith.constant 40 : i64
void local(double *x)
{
    int n = 40, d = 3;
    scale(n, d, x);
    d = 2;
    scale(n, d, x);
}
