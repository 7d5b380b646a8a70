// Quotients of numbers that a loop does not change are computed in front of it, with a divisor that does no harm where the loop never
// runs; what is divided only on some condition, or changes with the loop, stays where it is.
// RUN: polyopt-opt %s -p promote-scalars,clean-values | filecheck %s

// CHECK-LABEL: func.func @bound
// CHECK:         [[NONE:%[0-9a-z_]+]] = arith.cmpi eq, %step, %{{.*}} : i32
// CHECK-NEXT:    [[HARMLESS:%[0-9a-z_]+]] = arith.select [[NONE]], %{{.*}}, %step : i32
// CHECK-NEXT:    arith.divui %n, [[HARMLESS]] : i32
// CHECK-NEXT:    cf.br ^bb1
// CHECK-NOT:     divui
void bound(unsigned n, unsigned step, double *x)
{
    for (unsigned i = 0; i < n / step; i++)
        x[i] = 1;
}

// The inner loop's bound stands in front of both; the numbers are computed there, too, where they may wrap.
// CHECK-LABEL: func.func @nest
// CHECK:         arith.subi %n, %{{.*}} : i32
// CHECK:         arith.remsi
// CHECK:         cf.br ^bb1
// CHECK-NOT:     remsi
void nest(int n, int step, double x[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < (n - 1) % step; j++)
            x[i][j] = 1;
}

// CHECK-LABEL: func.func @changes
// CHECK:       ^bb1
// CHECK:         arith.divsi
void changes(int n, int step, double *x)
{
    for (int i = 0; i < n / step; i++)
        x[step++] = 1;
}

// CHECK-LABEL: func.func @seldom
// CHECK:       ^bb1
// CHECK:         arith.divsi
void seldom(int n, int d, int *x)
{
    for (int i = 0; i < n; i++)
        if (x[i] < 0)
            x[i] = n / d;
}

// A number needs nothing in front of it: it divides always.
// CHECK-LABEL: func.func @number
// CHECK:       ^bb1
// CHECK:         arith.divsi
void number(int n, double *x)
{
    for (int i = 0; i < n / 3; i++)
        x[i] = 1;
}
