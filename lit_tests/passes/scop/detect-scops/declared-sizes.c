// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s
// RUN: polyopt-cc -O2 -fno-aggressive-loop-optimizations --emit=poly -o - %s | filecheck %s --check-prefix=OFF

// A size for which loops that it ends would leave a small array is given as the least of it and what
// the array holds: whatever runs, runs for no more. Not where something else runs for greater sizes,
// or may; where a number names the row, which is how all of an array is gone over; where the size
// is that of another array; where what is known of another size would not be so of the least; or
// where members of a struct are one array, which has the extent of none.

double a[6][8];

void small(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i + j;
}

void few_rows(int n, double (*p)[8])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p[i][j] = i + j;
}

void other_work(int n, int m, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = i;
        for (int j = 0; j < m; j++)
            a[i][j] = i + j;
    }
}

void perhaps(int n)
{
    for (int i = 0; i < n; i++)
        if (a[0][0] > i)
            a[i][1] = i;
}

void all_of_it(int n)
{
    for (int i = 0; i < n; i++)
        a[0][i] = i;
}

struct pair {
    double first[8], second[8];
} both;

void members(int n, int m)
{
    for (int i = 0; i < n; i++)
        both.first[i] += i;
    for (int i = 0; i < m; i++)
        both.second[i] += both.first[i];
}

void known(int n, int m, double *x)
{
    if (m != n)
        return;
    for (int i = 0; i < n; i++)
        a[i][1] = i;
    for (int i = 0; i < m; i++)
        x[i] = i;
}

// OFF-NOT: arith.minsi
// CHECK-LABEL: func.func @small(
// CHECK: arith.minsi %n
// CHECK: arith.minsi %m
// CHECK: poly.scop "small"
// CHECK-SAME: context <"[n, m] -> {  : n <= 6 and m <= 8 }">
// CHECK-LABEL: func.func @few_rows(
// CHECK: poly.scop "few_rows"
// CHECK-SAME: context <"[n] -> {  : n <= 8 }">
// CHECK-LABEL: func.func @other_work(
// CHECK: poly.scop "other_work"
// CHECK-SAME: context <"[n, m] -> {  : m <= 8 }">
// CHECK-LABEL: func.func @perhaps(
// CHECK-NOT: arith.minsi
// CHECK-LABEL: func.func @all_of_it(
// CHECK-NOT: arith.minsi
// CHECK: poly.scop "all_of_it"
// CHECK-LABEL: func.func @members(
// CHECK-NOT: arith.minsi
// CHECK: poly.scop "members"
// CHECK-SAME: memref<?xf64>
// CHECK-LABEL: func.func @known(
// CHECK-NOT: arith.minsi
// CHECK: poly.scop "known"
