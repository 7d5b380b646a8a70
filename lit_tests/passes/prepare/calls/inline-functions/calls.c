// RUN: polyopt-opt %s -p tail-calls,inline-functions | filecheck %s

// Functions go into the loops that call them, with their loops; small ones without loops go
// anywhere. What is declared noinline or weak, calls itself or others, stays a call.

static double dot(int n, const double *x, const double *y)
{
    double s = 0;
    for (int k = 0; k < n; k++)
        s += x[k] * y[k];
    return s;
}

static double clamped(double x)
{
    if (x < 0)
        return 0;
    return x > 1 ? 1 : x;
}

__attribute__((noinline)) static double apart(double x) { return x + 1; }
__attribute__((weak)) double replaced(double x) { return x + 1; }
double elsewhere(double x);
static double calling(double x) { return elsewhere(x) + 1; }
static int deep(int n) { return n < 2 ? 1 : deep(n - 1) * deep(n - 2); }

void nest(int n, double *c, const double *a, const double *b)
{
    for (int i = 0; i < n; i++)
        c[i] = clamped(dot(n, a + i * n, b));
}
// CHECK-LABEL: func.func @nest
// CHECK-NOT: func.call
// CHECK: func.return

double beside(int n, const double *a, const double *b)
{
    return clamped(dot(n, a, b));
}
// CHECK-LABEL: func.func @beside
// CHECK: func.call @dot
// CHECK-NOT: func.call
// CHECK: func.return

void kept(int n, double *c)
{
    for (int i = 0; i < n; i++)
        c[i] = apart(replaced(calling(c[i]))) + deep(i);
}
// CHECK-LABEL: func.func @kept
// CHECK: func.call @calling
// CHECK: func.call @replaced
// CHECK: func.call @apart
// CHECK: func.call @deep

void printing(int n, double *c, const double *a, const double *b)
{
    for (int i = 0; i < n; i++)
        c[i] = elsewhere(dot(n, a, b));
}
// CHECK-LABEL: func.func @printing
// CHECK: func.call @dot

// A function may begin with the call: its first block is empty then.
static int zero(void) { return 0; }
static double in_turn(void)
{
    double a[2];
    a[0] = 1;
    return a[0];
}
struct five { double x[5]; };
static double changed(struct five b) { b.x[0] += 1; return b.x[0]; }

int starts(void) { return zero(); }
// CHECK-LABEL: func.func @starts
// CHECK-NOT: func.call
// CHECK: func.return

double starts_with_memory(void) { return in_turn(); }
// CHECK-LABEL: func.func @starts_with_memory
// CHECK: memref.alloca
// CHECK-NOT: func.call
// CHECK: func.return

double starts_with_copy(struct five b) { return changed(b); }
// CHECK-LABEL: func.func @starts_with_copy
// CHECK: memref.alloca
// CHECK: cmem.copy
// CHECK-NOT: func.call
// CHECK: func.return
