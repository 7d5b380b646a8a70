// RUN: polyopt-cc -O2 --skip-pass=keep-what-pays --emit=poly -o - %s | filecheck %s

// What is used behind a SCoP beside its original code comes from the one that has run: where `p` is
// in `a`, the original code loads it later than the SCoP would.

// CHECK-LABEL: func.func @scale
// CHECK:         %[[BEFORE:.*]] = memref.load
// CHECK:         cf.cond_br %{{.*}}, ^[[SCOP:[a-z0-9]+]], ^{{[a-z0-9]+}}
// CHECK:       ^[[SCOP]]:
// CHECK:         poly.scop "scale"
// CHECK:         cf.br ^[[BEHIND:[a-z0-9]+]](%[[BEFORE]] : i32)
// CHECK:         %[[OWN:.*]] = memref.load
// CHECK:         ^[[BEHIND]](%[[OWN]] : i32)
// CHECK:       ^[[BEHIND]](%[[EITHER:.*]]: i32):
// CHECK:         func.return %[[EITHER]] : i32
int scale(int n, int *a, const int *p)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * i;
    int x = *p;
    for (int i = 0; i < n; i++)
        a[i] += x;
    return x;
}
