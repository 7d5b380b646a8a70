// RUN: polyopt-cc -O2 --emit=prepared -o - %s | filecheck %s

// Functions with loops are kept as the front end made them, in a module in the module; functions
// without loops are not.

double once(double x) { return x + 1; }

void all(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

// CHECK:       func.func @once
// CHECK:       func.func @all
// CHECK:       builtin.module attributes {poly.as_written} {
// CHECK-NEXT:    func.func @all
// CHECK-NOT:     func.func @once
