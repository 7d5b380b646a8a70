// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,if-convert' | filecheck %s
// RUN: polyopt-cc -O3 -ffast-math --emit=prepared %s -o - | filecheck %s --check-prefix=FAST

// An arm that loads what may not be there, and does nothing but to add to variables, gives what is
// added, under the condition; the sum is always done, behind it, and so is what is counted beside. Not
// where its order is C's, where the arm stores or uses what it adds to, or hands on another value.

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
// CHECK:         func.return
void chosen(int m, int n, double limit, const double *at, const int *x, int *mean)
{
    for (int k = 0; k < m; k++) {
        int sum = 0, many = 0;
        for (int i = 0; i < n; i++)
            if (at[i] < limit * k) {
                sum += x[i];
                many++;
            }
        mean[k] = sum / many;
    }
}

// Two sums of what is loaded would be two loops, and so may sums over all of a nest that something is
// counted beside.
// CHECK-LABEL: func.func @two_sums
// CHECK-NOT:     scf.if
// CHECK:         func.return
void two_sums(int m, int n, double limit, const double *at, const int *x, int *made)
{
    for (int k = 0; k < m; k++) {
        int sum = 0, squares = 0;
        for (int i = 0; i < n; i++)
            if (at[i] < limit * k) {
                sum += x[i];
                squares += x[i] * x[i];
            }
        made[k] = squares - sum;
    }
}

// CHECK-LABEL: func.func @of_all
// CHECK-NOT:     scf.if
// CHECK:         func.return
int of_all(int m, int n, double limit, const double *at, const int *x)
{
    int sum = 0, many = 0;
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++)
            if (at[i] < limit * k) {
                sum += x[i];
                many++;
            }
    return sum / many;
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

// In a loop that is no nest sums stay together, behind two conditions too.
// CHECK-LABEL: func.func @filtered
// CHECK:         scf.if %{{.*}} -> (i32)
// CHECK:         memref.store %{{.*}}, %sum[]
// CHECK:         memref.store %{{.*}}, %squares[]
// CHECK-NOT:     cf.cond_br
// CHECK:         cf.br
// CHECK:         func.return
int filtered(int n, double limit, const double *at, const int *flag, const int *x)
{
    int sum = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        if (at[i] > limit)
            continue;
        if (flag[i] & 1)
            continue;
        sum += x[i];
        squares += x[i] * x[i];
    }
    return sum + squares;
}

// But not where each would have to compute what takes long.
// CHECK-LABEL: func.func @share_much
// CHECK-NOT:     scf.if
// CHECK:         func.return
int share_much(int n, int by, double limit, const double *at, const int *x)
{
    int sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
        if (at[i] < limit) {
            int share = x[i] / by;
            sum += share;
            squares += share * share;
        }
    return sum + squares;
}
