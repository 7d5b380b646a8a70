// Without leave to do operations in any order, where there may be infinities or the sign of zero
// counts, and where an element has been stored to between two loads, nothing cancels out.
// RUN: polyopt-opt %s -p promote-scalars,clean-values,cancel-terms | filecheck %s --check-prefixes=EXACT,BOTH
// RUN: polyopt-opt %s --cflags="-ffast-math -fno-finite-math-only" -p promote-scalars,clean-values,cancel-terms | filecheck %s --check-prefixes=EXACT,BOTH
// RUN: polyopt-opt %s --cflags="-ffast-math -fsigned-zeros" -p promote-scalars,clean-values,cancel-terms | filecheck %s --check-prefixes=EXACT,BOTH
// RUN: polyopt-opt %s --cflags=-ffast-math -p promote-scalars,clean-values,cancel-terms | filecheck %s --check-prefix=BOTH

// EXACT-LABEL: func.func @error
// EXACT-COUNT-2: arith.subf
double error(double s, double x)
{
    double t = s + x;
    return (t - s) - x;
}

// BOTH-LABEL: func.func @stored
// BOTH:         arith.subf
void stored(double *a, double *b)
{
    double t = a[0] + 1;
    b[0] = 2;
    a[1] = t - a[0];
}

// BOTH-LABEL: func.func @other
// BOTH-COUNT-3: arith.subf
double other(double x, double y, double z, int k)
{
    return (x - y) - (k ? x - z : 1);
}
