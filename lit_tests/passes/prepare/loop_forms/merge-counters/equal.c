// Variables that have the same chain of recurrences are one; those that only start alike, or are of
// another type, are not.
// RUN: polyopt-opt %s -p 'promote-scalars,clean-values,merge-counters' | filecheck %s

void equal(int n, double *a)
{
    int j = 0;
    for (int i = 0; i < n; i++) {
        a[i] = a[2 * j];
        j += 1;
    }
}
// CHECK-LABEL: func.func @equal(
// CHECK:       ^{{.*}}(%{{[a-z0-9_]+}}: i32):
// CHECK-NEXT:    arith.cmpi slt

void different(int n, double *a)
{
    int j = 0;
    long k = 0;
    for (int i = 0; i < n; i++) {
        a[i] = a[j] + a[k];
        j += 2;
        k += 1;
    }
}
// CHECK-LABEL: func.func @different(
// CHECK:       ^{{.*}}(%{{[a-z0-9_]+}}: i32, %{{[a-z0-9_]+}}: i64, %{{[a-z0-9_]+}}: i32):
