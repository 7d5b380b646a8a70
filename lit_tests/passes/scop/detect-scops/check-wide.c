// RUN: polyopt-cc -O2 --check --emit=poly -o - %s | filecheck %s
// RUN: polyopt-cc -O2 --check --remarks -c -o %t.o %s 2>&1 | filecheck %s --check-prefix=TOLD

// What the run-time library compares are words of 64 bits: nests that leave wider ones just run.
// The array of the last one is read only, and does not matter.

// TOLD-COUNT-3: missed: not compared: it leaves values wider than 64 bits [check-wide]
// TOLD-NOT:     [check-wide]

// CHECK-NOT:     func.call @__polyopt_check
// CHECK-LABEL: func.func @long_doubles
// CHECK:         poly.scop "long_doubles"
void long_doubles(int n, long double *x)
{
    for (int i = 1; i < n; i++) x[i] -= x[i - 1] * 0.5L;
}

// CHECK-NOT:     func.call @__polyopt_check
// CHECK-LABEL: func.func @wide_integers
// CHECK:         poly.scop "wide_integers"
void wide_integers(int n, unsigned __int128 *x)
{
    for (int i = 1; i < n; i++) x[i] += x[i - 1] * 3;
}

// CHECK-NOT:     func.call @__polyopt_check
// CHECK-LABEL: func.func @wide_sum
// CHECK:         poly.scop "wide_sum"
long double wide_sum(int n, const long double *x)
{
    long double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}

// CHECK-NOT:     func.call @__polyopt_check
// CHECK-LABEL: func.func @narrow
// CHECK:         func.call @__polyopt_check_begin
// CHECK:         poly.scop "narrow"
void narrow(int n, const long double *x, int *restrict y)
{
    for (int i = 0; i < n; i++) y[i] = x[i] > 2.0L;
}
