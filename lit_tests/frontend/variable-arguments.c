// Arguments are read where `cmem.va_arg` says that they lie; a copy of the list is that of its members.
// RUN: polyopt-cc --emit=source %s -o - | filecheck %s
// RUN: polyopt-cc --emit=source %s -o - | polyopt-opt | filecheck %s
#include <stdarg.h>
struct mixed { long a; double b; };
struct large { long a[3]; };
// CHECK-LABEL: @f
double f(int n, ...) {
    va_list list, copy;
    // CHECK: cmem.va_start %{{.*}}
    va_start(list, n);
    // CHECK-COUNT-4: memref.store
    va_copy(copy, list);
    // CHECK: %[[I:.*]] = cmem.va_arg %{{.*}} parts [i64] size 4 align 4
    // CHECK: cmem.view %[[I]][] : memref<i32>
    double x = va_arg(list, int);
    // CHECK: cmem.va_arg %{{.*}} parts [f64] size 8 align 8
    x += va_arg(list, double);
    // CHECK: cmem.va_arg %{{.*}} parts [i64, f64] size 16 align 8
    x += va_arg(list, struct mixed).b;
    // CHECK: cmem.va_arg %{{.*}} parts [] size 24 align 8
    x += va_arg(list, struct large).a[1];
    va_end(list);
    return x;
}
