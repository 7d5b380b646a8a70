// RUN: polyopt-cc -O2 -march=x86-64-v4 --emit=poly -o - %s | filecheck %s
// RUN: polyopt-cc -O2 -march=x86-64-v4 -ffast-math --remarks -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=SAID

// A loop as long as a counter around it says is weighed for the middle of that one's way, and a loop
// of three iterations although it takes so little; both stay as they are written.

// CHECK-LABEL: func.func @factor
// CHECK:         poly.pays "factor" params({{.*}}) {expected = array<i64: 2, 2>, source
// SAID:          the code stays as it was written
// SAID-NOT:      is kept
int factor(double a[6][6], double l[6][6])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++)
                s -= l[i][k] * l[j][k];
            if (s <= 0)
                return -1;
            l[i][j] = s;
        }
    return 0;
}

// CHECK-LABEL: func.func @rotate
// CHECK:         poly.pays "rotate" params({{.*}}) {expected = {{.*}}, source = array<f64: {{.*}}>}
void rotate(double a[3][3], int p, int q, double c, double s)
{
    for (int k = 0; k < 3; k++) {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
    }
}
