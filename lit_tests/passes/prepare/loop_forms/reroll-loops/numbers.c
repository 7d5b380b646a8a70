// RUN: polyopt-cc -O3 --emit=poly --skip-pass=keep-what-pays -o - %s | filecheck %s

// Of three statements that are one the polyhedral middle sees one; a bound that is a number stays one,
// and one that is not is rounded up.

// CHECK-LABEL: func.func @known
// CHECK:         { S0[i] : 2 <= i <= 31 }
// CHECK-NOT:     poly.stmt "S1"
void known(float *a)
{
    for (int i = 2; i <= 30; i += 3) {
        a[i] = 3 - a[i];
        a[i + 1] = 3 - a[i + 1];
        a[i + 2] = 3 - a[i + 2];
    }
}

// CHECK-LABEL: func.func @by_name
// CHECK:         S0[i] -> a[i]
// CHECK-NOT:     poly.stmt "S1"
void by_name(float *a, int n)
{
    for (int i = 0; i < n; i += 3) {
        a[i] = 3 - a[i];
        a[i + 1] = 3 - a[i + 1];
        a[i + 2] = 3 - a[i + 2];
    }
}

// A sum of several terms in order is a sum of one, as far as a variable in memory says.
// CHECK-LABEL: func.func @product
// CHECK:         S0
// CHECK:         arith.mulf
// CHECK:         arith.addf
// CHECK-NOT:     arith.addf
// CHECK:         func.return
int length;
double product(const double *a, const double *b)
{
    double s = 0;
    for (int i = 0; i < length; i += 3)
        s = s + a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2];
    return s;
}
