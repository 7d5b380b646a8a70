// A temporary stays where what it was loaded from may be another value by the time it is used, where
// it is used behind the loops as well, where it takes a division, and where it is used beside.
// RUN: polyopt-cc -O3 -ffast-math --emit=poly -o - %s | polyopt-opt -p poly-forward | filecheck %s

// The row is changed from its element k on: a[k] itself is, first of all.
// CHECK-LABEL: func.func @in_place
// CHECK:         poly.write %{{.*}}, %a
// CHECK:         poly.read %a
void in_place(int n, double *restrict R, const double *restrict B)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double a = R[i * n + k];
            for (int j = 0; j < n; j++)
                R[i * n + j] -= a * B[k * n + j];
        }
}

// CHECK-LABEL: func.func @behind
// CHECK:         poly.write %{{.*}}, %a
// CHECK:         poly.read %a
double behind(int n, const double *restrict A, const double *restrict B, double *restrict C)
{
    double a = 0;
    for (int k = 0; k < n; k++) {
        a = A[k];
        for (int j = 0; j < n; j++)
            C[j] += a * B[k * n + j];
    }
    return a;
}

// CHECK-LABEL: func.func @divided
// CHECK:         poly.write %{{.*}}, %a
// CHECK:         poly.read %a
void divided(int n, const double *restrict A, const double *restrict B, double *restrict C)
{
    for (int k = 0; k < n; k++) {
        double a = 1 / A[k];
        for (int j = 0; j < n; j++)
            C[j] += a * B[k * n + j];
    }
}
