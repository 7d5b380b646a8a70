// RUN: polyopt-opt %s -p mark-pure-calls | filecheck %s

// Calls of functions declared const, of libm, and of functions that only compute are marked; not
// those of functions that may read memory, count, stop, or go on without end.

double hypot(double, double);
double lgamma(double);
double declared(double) __attribute__((const));
double reads(double) __attribute__((pure));
void abort(void) __attribute__((noreturn));

static const double table[4] = { 1, 2, 3, 4 };
static int count;

__attribute__((noinline)) static double computes(double x, int i)
{
    double t[2] = { x, table[i & 3] };
    while (t[0] > 1)
        t[0] *= 0.5;
    return t[0] + hypot(t[1], 1);
}
__attribute__((noinline)) static int counts(int i) { return count += i; }
__attribute__((noinline)) static int stops(int i)
{
    if (i < 0)
        abort();
    return i;
}
__attribute__((noinline)) static int endless(int i)
{
    for (;;)
        i++;
    return i;
}
__attribute__((noinline)) static int itself(int i) { return i < 2 ? i : itself(i - 1) + 1; }
__attribute__((noinline)) static double points(const double *p) { return *p; }

double all(double x, int i)
{
    double y = computes(x, i) + hypot(x, 1) + declared(x);
    y += reads(x) + lgamma(x) + points(&x);
    return y + counts(i) + stops(i) + itself(i) + endless(i);
}

// CHECK-LABEL: func.func @all
// CHECK: func.call @computes({{.*}}) {poly.pure}
// CHECK: func.call @hypot({{.*}}) {poly.pure}
// CHECK: func.call @declared({{.*}}) {poly.pure}
// CHECK-NOT: poly.pure
// CHECK: func.return
