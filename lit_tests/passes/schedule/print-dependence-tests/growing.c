// Loops that are no static control parts: how far apart subscripts meet that grow as data decide, by
// their envelopes; what may not grow may meet anywhere. Conditions that an envelope decides go.
// RUN: polyopt-cc -O2 --skip-pass=drop-conditions --emit=prepared -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p print-dependence-tests | filecheck %s
// RUN: polyopt-cc -O2 --skip-pass=keep-as-written --emit=prepared -o - %s | filecheck %s --check-prefix=GONE

// CHECK-DAG: // grown, loop k: x read and x written: by (-2)
// CHECK-DAG: // grown, loop k: x written and x written: by (0)
// CHECK-DAG: // grown, loop k: y read and y written: independent
// CHECK-DAG: // grown, loop k: z written and z written: by (+) or (0) or (-)
void grown(int n, const int *restrict a, double *restrict x, double *restrict y, double *restrict z)
{
    int k = 0, m = 0;
    for (int i = 0; a[i] != 7; i++) {
        x[k + 4] = x[k] + 1;
        y[2 * k] = y[2 * k + 3] * 2;
        z[m] = x[k];
        k += a[i] > 0 ? 2 : 3;
        m += a[i] > 1;
    }
}

void use(int);

// GONE-LABEL: func.func @between
// GONE:         call @use
// GONE-NOT:     call @use
// GONE:         func.return
void between(int n, const int *a)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        if (k > 3 * i || k < 2 * i)
            use(1);
        if (k > 2 * i)
            use(2);
        k += a[i] > 0 ? 2 : 3;
    }
}
