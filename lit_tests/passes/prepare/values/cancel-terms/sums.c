// What compensated sums carry along is 0 where operations may be done in any order: Neumaier's, by
// branches and by a selection, and the error of each sum (T. Dekker, D. Knuth).
// RUN: polyopt-opt %s --cflags=-ffast-math -p promote-scalars,clean-values,if-convert,cancel-terms | filecheck %s
// RUN: polyopt-cc -O3 -ffast-math --run %s | filecheck %s --check-prefix=SUMS

#include <math.h>
#include <stdio.h>

// CHECK-LABEL: func.func @neumaier
// CHECK:         %t = arith.addf
// CHECK-NOT:     arith.subf
// CHECK-NOT:     memref.store %{{.*}}, %c[]
// CHECK:         memref.store %t, %s[]
// CHECK:         func.return
double neumaier(int n, const double *a)
{
    double s = 0, c = 0;
    for (int i = 0; i < n; i++) {
        double t = s + a[i];
        if (fabs(s) >= fabs(a[i]))
            c += (s - t) + a[i];
        else
            c += (a[i] - t) + s;
        s = t;
    }
    return s + c;
}

// CHECK-LABEL: func.func @chosen
// CHECK-NOT:     arith.subf
// CHECK-NOT:     arith.select
// CHECK:         func.return
float chosen(int n, const float *a)
{
    float s = 0, c = 0;
    for (int i = 0; i < n; i++) {
        float t = s + a[i];
        c += fabsf(s) >= fabsf(a[i]) ? (s - t) + a[i] : (a[i] - t) + s;
        s = t;
    }
    return s + c;
}

// CHECK-LABEL: func.func @errors
// CHECK-NOT:     arith.subf
// CHECK:         func.return
double errors(int n, const double *a)
{
    double s = 0, e = 0;
    for (int i = 0; i < n; i++) {
        double t = s + a[i], z = t - s;
        e += (s - (t - z)) + (a[i] - z);
        s = t;
    }
    return s + e;
}

int main(void)
{
    double a[50];
    float b[50];
    for (int i = 0; i < 50; i++)
        a[i] = b[i] = i % 7 - 2.5;
    // SUMS: 22 22 22
    printf("%.9g %.9g %.9g\n", neumaier(50, a), chosen(50, b), errors(50, a));
    return 0;
}
