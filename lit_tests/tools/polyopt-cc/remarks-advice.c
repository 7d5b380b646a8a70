// RUN: polyopt-cc -O3 -march=x86-64-v3 --remarks=loops -c %s -o %t.o 2>&1 | filecheck %s
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --remarks=loops -c %s -o %t.o 2>&1 | filecheck %s --check-prefix FAST

// Where only sums stand against a loop it is told which flag permits partial ones; where other
// floating-point operations do, -ffast-math is named if the model thinks that the loop gains by it,
// and not where no order is better, and nothing is said to who has given the flag.

// FAST-NOT: permits

double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

// CHECK-LABEL: loop i:
// CHECK: -fassociative-math (or all of -ffast-math) permits partial sums: about

double weighted(int n, const double *x)
{
    double weight = 1, sum = 0;
    for (int i = 0; i < n; i++) {
        sum += weight * x[i];
        weight *= 0.5;
    }
    return sum;
}

// CHECK-LABEL: loop i:
// CHECK: -ffast-math permits others: about

double product(int n, const double *x)
{
    double all = 1;
    for (int i = 0; i < n; i++)
        all *= x[i];
    return all;
}

// CHECK-LABEL: loop i:
// CHECK-NOT: sum
// CHECK: -ffast-math permits others: about

void divided(int n, double *restrict y, const double *restrict x)
{
    for (int i = 1; i < n; i++)
        y[i] = x[i] / (1 + y[i - 1]);
}

// CHECK-LABEL: loop i:
// CHECK-NOT: permits
