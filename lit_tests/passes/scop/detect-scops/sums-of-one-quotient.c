// Sums whose order is free are statements of their own, but where they share a quotient or a root: it is computed once.
// RUN: polyopt-cc -O3 -ffast-math --emit=poly -o - %s | filecheck %s

double one, other, third;

// CHECK-LABEL: func.func @apart(
// CHECK:         poly.stmt "S0"
// CHECK:         poly.stmt "S1"
void apart(int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        one += x[i];
        other += x[i] * x[i];
    }
}

// CHECK-LABEL: func.func @together(
// CHECK:         poly.stmt "S0"
// CHECK:           arith.divf
// CHECK-NOT:       arith.divf
// CHECK:         poly.stmt "S1"
// CHECK-NOT:     poly.stmt
void together(int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        double q = x[i] / (1 + x[i] * x[i]);
        one += q;
        other += q * x[i];
        third += x[i];
    }
}

// What is one instruction, like a sum, is computed for each.
// CHECK-LABEL: func.func @of_distances(
// CHECK:         poly.stmt "S0"
// CHECK:           math.absf
// CHECK:         poly.stmt "S1"
// CHECK:           math.absf
void of_distances(int n, const double *x, const double *y)
{
    for (int i = 0; i < n; i++) {
        double d = __builtin_fabs(x[i] - y[i]);
        one += d;
        other += d * d;
    }
}
