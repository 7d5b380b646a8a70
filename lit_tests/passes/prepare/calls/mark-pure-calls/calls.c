// RUN: polyopt-opt %s -p mark-pure-calls | filecheck %s

// Calls of functions declared const, of libm, and of functions that only compute are marked; those
// of functions that read memory with what they may read, as far as that is known; not those of
// functions that count, stop, go on without end, or read what each thread has of its own.

double hypot(double, double);
double lgamma(double);
double declared(double) __attribute__((const));
double reads(double) __attribute__((pure));
void abort(void) __attribute__((noreturn));

static const double table[4] = { 1, 2, 3, 4 };
static int count;
static double rows[4];
static _Thread_local double mine;

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

__attribute__((noinline)) static double end(const double *p, int n)
{
    const double *q = p;
    while (q < p + n - 1)
        q++;
    return *q + rows[0];
}
__attribute__((noinline)) static double both(int i) { return end(i ? rows : table, 4) + count; }
struct cell { double value; struct cell *next; };
__attribute__((noinline)) static double second(struct cell *c) { return c->next->value; }
__attribute__((noinline)) static double own(void) { return mine; }

double reading(double x, int i, struct cell *c)
{
    return both(i) + second(c) + own();
}

double all(double x, int i)
{
    double y = computes(x, i) + hypot(x, 1) + declared(x);
    y += reads(x) + lgamma(x) + points(&x);
    return y + counts(i) + stops(i) + itself(i) + endless(i);
}

// CHECK-LABEL: func.func @reading
// CHECK: func.call @both({{.*}}) {poly.reads = ["count", "rows"]}
// CHECK: func.call @second({{.*}}) {poly.reads}
// CHECK-NOT: poly.reads
// CHECK-LABEL: func.func @all
// CHECK: func.call @computes({{.*}}) {poly.pure}
// CHECK: func.call @hypot({{.*}}) {poly.pure}
// CHECK: func.call @declared({{.*}}) {poly.pure}
// CHECK: func.call @reads({{.*}}) {poly.reads}
// CHECK-NOT: func.call @lgamma({{.*}}) {poly
// CHECK: func.call @points({{.*}}) {poly.reads = []}
// CHECK-NOT: poly.
// CHECK: func.return
