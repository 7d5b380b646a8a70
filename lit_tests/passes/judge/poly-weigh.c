// RUN: polyopt-cc -O2 --emit=poly -o - %s | filecheck %s

// A SCoP on trial is weighed for a size that its arrays allow, and the original code stays behind.

double a[500];

// CHECK-LABEL: func.func @scale
// CHECK:         poly.pays "scale" params(%{{.*}}) {expected = array<i64: 500>, source = array<f64: {{.*}}>}
// CHECK-NEXT:    cf.cond_br
// CHECK:         poly.scop "scale"
// CHECK:         memref.store
void scale(int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i];
}

// Of two rows that are counted in elements, each from a place of its own, LLVM finds out when the
// loop runs that they are apart: of vectors, an iteration takes less than a cycle.
// CHECK-LABEL: func.func @rows
// CHECK:         poly.pays "rows" {{.*}}source = array<f64: {{[1-9]\.[0-9]+e\+02}}, {{.*}}>}
void rows(int i, int k, int n, int w, double l, double *b)
{
    for (int j = 0; j < n; j++)
        b[i * w + j] -= l * b[k * w + j];
}

// One number alone is a lag, and may be short: each iteration waits for one before.
// CHECK-LABEL: func.func @lag
// CHECK:         poly.pays "lag" {{.*}}source = array<f64: {{[1-9]\.[0-9]+e\+03}}, {{.*}}>}
void lag(int v, int n, double l, double *b)
{
    for (int j = 0; j < n; j++)
        b[j + v] -= l * b[j];
}
