// A function that others may call, or that is called with other numbers as well, has a private copy
// for small numbers that bound its loops, which those calls go to.
// RUN: polyopt-opt %s -p known-arguments | filecheck %s

// CHECK-LABEL: func.func @scale(
// CHECK-NOT:     arith.constant 12 : i32
// CHECK-LABEL: func.func private @scale.12(
// CHECK:         arith.constant 12 : i32
void scale(int n, double by, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] *= by;
}

// Nobody else calls it: one of the two is the function itself.
// CHECK-LABEL: func.func private @add(
// CHECK:         arith.constant 7 : i32
// CHECK-LABEL: func.func private @add.5(
// CHECK:         arith.constant 5 : i32
// CHECK-NOT:   @add.7
static void add(int n, const double *a, double *b)
{
    for (int i = 0; i < n; i++)
        b[i] += a[i];
}

// What is passed on by a copy and by the function itself differs.
// CHECK-LABEL: func.func private @inner(%n
// CHECK-NOT:     arith.constant
// CHECK:         arith.addi
static int inner(int n, int m)
{
    return n + m;
}

// CHECK-LABEL: func.func private @outer(
// CHECK-LABEL: func.func private @outer.3(
static int outer(int n, int m)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += inner(n, m);
    return sum;
}

// No loop depends on the number; it is large; too many different ones; it may be another function when
// it is linked.
// CHECK-NOT: @shift.
// CHECK-NOT: @large.
// CHECK-NOT: @many.
// CHECK-NOT: @replaced.
void shift(int by, int n, int *a)
{
    for (int i = 0; i < n; i++)
        a[i] += by;
}

void large(int n, int *a)
{
    for (int i = 0; i < n; i++)
        a[i]++;
}

void many(int n, int *a)
{
    for (int i = 0; i < n; i++)
        a[i]--;
}

__attribute__((weak)) void replaced(int n, int *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

// CHECK-LABEL: func.func @calls(
// CHECK:         func.call @scale.12(
// CHECK:         func.call @scale.12(
// CHECK:         func.call @scale(%n
// CHECK:         func.call @add.5(
// CHECK:         func.call @add(
// CHECK:         func.call @outer.3(
// CHECK:         func.call @outer(
int calls(int n, double *a, double *b, int *c)
{
    scale(12, 2, a);
    scale(12, 3, b);
    scale(n, 2, a);
    add(5, a, b);
    add(7, a, b);
    shift(3, n, c);
    large(1000, c);
    many(1, c);
    many(2, c);
    many(3, c);
    replaced(4, c);
    return outer(3, n) + outer(4, n);
}
