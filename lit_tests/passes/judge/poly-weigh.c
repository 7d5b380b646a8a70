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
