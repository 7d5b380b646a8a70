// RUN: polyopt-opt %s -p promote-scalars,split-locals | filecheck %s

// In loops, copies of all bytes of a number become its bits; a copy of fewer bytes, of an element of
// another size or of what is no element stays a call, and so does one beside loops.

#include <string.h>

void bits(int n, const float *x, unsigned *y)
{
    for (int i = 0; i < n; i++) {
        unsigned u;
        memcpy(&u, &x[i], sizeof u);
        y[i] = u >> 16;
    }
}
// CHECK-LABEL: func.func @bits
// CHECK-NOT:     func.call
// CHECK:         [[X:%\S+]] = memref.load %x_1[{{%\S+}}] : memref<?xf32>
// CHECK-NEXT:    arith.bitcast [[X]] : f32 to i32
// CHECK-NOT:     func.call
// CHECK:         func.return

void between(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        double d = x[i];
        long k;
        memmove(&k, &d, sizeof k);
        k &= 7;
        memcpy(&x[i], &k, sizeof k);
    }
}
// CHECK-LABEL: func.func @between
// CHECK-NOT:     func.call
// CHECK:         arith.bitcast {{%\S+}} : f64 to i64
// CHECK:         arith.bitcast {{%\S+}} : i64 to f64
// CHECK-NEXT:    memref.store

unsigned kept(int n, const float *x, const char *c)
{
    unsigned total = 0;
    for (int i = 0; i < n; i++) {
        unsigned u = 0;
        double d;
        memcpy(&u, &x[i], 3);
        memcpy(&u, &c[i], sizeof u);
        memcpy(&d, &x[i], sizeof d);
        total += u + (d > 0);
    }
    memcpy(&n, x, sizeof n);
    return total + n;
}
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: func.call @memcpy
