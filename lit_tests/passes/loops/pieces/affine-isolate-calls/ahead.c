// Calls that have vector forms go ahead of what keeps a loop serial, a strip at a time: figure 14 of
// Berlin, Edelsohn, Pop (GCC Summit 2004). Not where they wait for it, where nothing is carried, where
// the loop is short, or where approximations are not allowed.
// RUN: polyopt-cc -O3 -ffast-math --poly=identity --emit=affine -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p affine-isolate-calls | filecheck %s
// RUN: polyopt-cc -O3 --poly=identity --emit=affine -o %t.strict.mlir %s
// RUN: polyopt-opt %t.strict.mlir -p affine-isolate-calls | filecheck %s --check-prefix=STRICT

#include <math.h>

void recurrence(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * b[i] + log(c[i]);
}

void path(int n, float drift, float s, float *restrict z, float *restrict out)
{
    for (int i = 0; i < n; i++) {
        s = s * expf(drift + z[i]) - s * s;
        out[i] = s;
    }
}

void both(int n, double *restrict a, double *restrict c)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * exp(c[i]) * pow(sin(c[i]), c[i + 1]) + a[i - 1] * a[i - 1];
}

void waits(int n, double *restrict a, double *restrict c)
{
    for (int i = 1; i < n; i++)
        a[i] = log(a[i - 1] + c[i]);
}

void own(int n, double *restrict a, double *restrict c)
{
    for (int i = 1; i < n; i++) {
        c[i] = a[i - 1] * 0.5;
        a[i] = a[i - 1] * 0.25 + log(c[i]);
    }
}

void earlier(int n, double *restrict a, double *restrict c)
{
    for (int i = 2; i < n; i++) {
        a[i] = a[i - 1] * a[i - 1] + log(c[i - 2]);
        c[i] = a[i];
    }
}

void later(int n, double *restrict a, double *restrict c)
{
    for (int i = 0; i < n; i++) {
        a[i + 1] = a[i] * a[i] + log(c[i + 1]);
        c[i] = a[i];
    }
}

void apart(int n, double *restrict a, double *restrict c)
{
    for (int i = 0; i < n; i++)
        a[i] = log(c[i]);
}

void few(double *restrict a, double *restrict c)
{
    for (int i = 1; i < 9; i++)
        a[i] = a[i - 1] * a[i - 1] + log(c[i]);
}

// CHECK-LABEL: func.func @recurrence
// CHECK:         %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256xf64>
// CHECK:         affine.for %[[S:.*]] = 1 to {{.*}} step 256 {
// CHECK-NEXT:      affine.for %[[I:.*]] = affine_map<(d0) -> (d0)>(%[[S]]) to min affine_map<(d0, d1) -> ((d0 + 256), d1)>
// CHECK-NEXT:        affine.load %c
// CHECK-NEXT:        math.log
// CHECK-NEXT:        affine.store %{{.*}}, %[[T]][%[[I]] + %[[S]] * -1]
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel, iterator = "i">}
// CHECK-NEXT:      affine.for
// CHECK-NOT:         math.log
// CHECK:             affine.load %[[T]]
// CHECK-NOT:         affine.load %c
// CHECK:             affine.store %{{.*}}, %a
// CHECK-NEXT:      } {poly.loop = #poly.loop<iterator = "i">}

// CHECK-LABEL: func.func @path
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<256xf32>
// CHECK:           arith.addf
// CHECK-NEXT:      math.exp
// CHECK-NEXT:      affine.store

// One value for what is computed of several calls.
// CHECK-LABEL: func.func @both
// CHECK-COUNT-2: memref<256xf64>
// CHECK:           math.exp
// CHECK:           math.powf
// CHECK:           affine.for
// CHECK-NOT:       math.

// CHECK-LABEL: func.func @waits
// CHECK-NOT:     memref.alloca
// CHECK-LABEL: func.func @own
// CHECK-NOT:     memref<256xf64>
// CHECK-LABEL: func.func @earlier
// CHECK-NOT:     memref<256xf64>

// What is overwritten later is read before it, as it was.
// CHECK-LABEL: func.func @later
// CHECK:         memref<256xf64>
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     memref<256xf64>
// CHECK-LABEL: func.func @few
// CHECK-NOT:     memref<256xf64>
// CHECK:         func.return

// STRICT-NOT:  memref<256x
