// RUN: polyopt-cc -O3 -march=x86-64-v4 --emit=source %s | polyopt-opt -p 'promote-scalars,clean-values,merge-counters,if-convert,structure-branches,simplify-loops,mark-scattered-stores{march=x86-64-v4}' | filecheck %s

// Integers that are divided under a condition, by no constant, would have a branch for each lane.

// CHECK-LABEL: func.func @by_turns
// CHECK:         cmem.no_vector
void by_turns(int n, const int *x, const int *by, int *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] < 0 ? -((-x[i] + by[i] / 2) / by[i]) : (x[i] + by[i] / 2) / by[i];
}

// CHECK-LABEL: func.func @each
// CHECK-NOT:     cmem.no_vector
void each(int n, const int *x, const int *by, int *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] / by[i];
}

// CHECK-LABEL: func.func @constant
// CHECK-NOT:     cmem.no_vector
void constant(int n, const int *x, int *y)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 5)
            y[i] = x[i] / 7;
}

// CHECK-LABEL: func.func @floating
// CHECK-NOT:     cmem.no_vector
void floating(int n, const float *x, const float *by, float *y)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 5)
            y[i] = x[i] / by[i];
}
