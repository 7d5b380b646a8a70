// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,if-convert' | filecheck %s
// RUN: polyopt-cc -O3 -ffast-math --emit=prepared %s -o - | filecheck %s --check-prefix=FAST

// An arm that loads what may not be there, and does nothing but to add to variables, gives what is
// added, under the condition; the sum is always done, behind it. Not where its order is C's, where the
// arm stores or uses what it adds to, or where another value than a count is handed on.

// CHECK-LABEL: func.func @chosen
// CHECK:         %[[YES:.*]] = arith.cmpf olt
// CHECK:         %[[TERM:.*]] = scf.if %[[YES]] -> (i32) {
// CHECK-NEXT:      %[[X:.*]] = memref.load
// CHECK-NEXT:      scf.yield %[[X]] : i32
// CHECK:         %[[OLD:.*]] = memref.load %sum[]
// CHECK-NEXT:    %[[NEW:.*]] = arith.addi %[[OLD]], %[[TERM]]
// CHECK-NEXT:    memref.store %[[NEW]], %sum[]
// CHECK:         %[[ONE:.*]] = arith.select %[[YES]], %{{.*}}, %{{.*}} : i32
// CHECK:         arith.addi %{{.*}}, %[[ONE]]
// CHECK-NOT:     scf.if
int chosen(int n, double limit, const double *at, const int *x)
{
    int sum = 0, many = 0;
    for (int i = 0; i < n; i++)
        if (at[i] < limit) {
            sum += x[i];
            many++;
        }
    return sum / many;
}

// Both arms: a conditional for each sum.
// CHECK-LABEL: func.func @sides
// CHECK:         scf.if
// CHECK:         memref.store %{{.*}}, %below[]
// CHECK:         scf.if
// CHECK:         memref.store %{{.*}}, %above[]
// CHECK-NOT:     cf.cond_br %{{.*}} : f64
int sides(int n, double limit, const double *at, const int *x, const int *y)
{
    int below = 0, above = 0;
    for (int i = 0; i < n; i++)
        if (at[i] < limit)
            below ^= x[i];
        else
            above |= y[i];
    return below * above;
}

// CHECK-LABEL: func.func @in_order
// CHECK-NOT:     scf.if
// CHECK:         cf.cond_br
// CHECK:         arith.addf
// FAST-LABEL:  func.func @in_order
// FAST:          %[[TERM:.*]] = scf.if %{{.*}} -> (f64) {
// FAST:          arith.addf %{{.*}}, %[[TERM]]
double in_order(int n, double limit, const double *at, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        if (at[i] < limit)
            sum += x[i];
    return sum;
}

// CHECK-LABEL: func.func @kept_too
// CHECK-NOT:     scf.if
// CHECK:         func.return
int kept_too(int n, double limit, const double *at, const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (at[i] < limit) {
            sum += x[i];
            y[i] = 1;
        }
    return sum;
}

// CHECK-LABEL: func.func @used_too
// CHECK-NOT:     scf.if
// CHECK:         func.return
int used_too(int n, double limit, const double *at, const int *x)
{
    int sum = 0, sums = 0;
    for (int i = 0; i < n; i++)
        if (at[i] < limit) {
            sum += x[i];
            sums += sum;
        }
    return sums;
}

// CHECK-LABEL: func.func @last_too
// CHECK-NOT:     scf.if
// CHECK:         func.return
int last_too(int n, double limit, const double *at, const int *x)
{
    int sum = 0, last = 0;
    for (int i = 0; i < n; i++)
        if (at[i] < limit) {
            sum += x[i];
            last = i;
        }
    return sum + last;
}
