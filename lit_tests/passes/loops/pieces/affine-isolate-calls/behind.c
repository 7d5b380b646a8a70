// Calls that take what goes round, and are not waited for by it, come behind it; sums of them come
// last. What a later loop takes is handed on, what costs little is done again.
// RUN: polyopt-cc -O3 -ffast-math --poly=identity --emit=affine -o %t.mlir %s
// RUN: polyopt-opt %t.mlir -p affine-isolate-calls | filecheck %s

#include <math.h>

void normals(int n, unsigned *restrict seed, double *restrict z)
{
    for (int i = 0; i < n; i++) {
        seed[0] = seed[0] * 1664525u + 1013904223u;
        z[i] = sqrt(-2 * log((seed[0] + 0.5) / 4294967296.0));
    }
}

double walk(int n, unsigned *restrict seed, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        seed[0] = seed[0] * 1664525u + 1013904223u;
        y[0] = y[0] * 0.75 * y[0] + exp(seed[0] / -4294967296.0);
    }
    return y[0];
}

void overwritten(int n, double *restrict a, double *restrict c, double *restrict d)
{
    for (int i = 1; i < n; i++) {
        a[i] = a[i - 1] * a[i - 1] + c[i];
        d[i] = log(a[i]) * d[i + 1];
        c[i - 1] = d[i];
    }
}

// CHECK-LABEL: func.func @normals
// CHECK:         %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256xi32>
// CHECK:         affine.for %{{.*}} step 256 {
// CHECK:             arith.muli
// CHECK:             affine.store %{{.*}}, %seed
// CHECK-NOT:         arith.uitofp
// CHECK:             affine.store %{{.*}}, %[[T]]
// CHECK:           } {poly.loop = #poly.loop<iterator = "i">}
// CHECK-NEXT:      affine.for
// CHECK:             affine.load %[[T]]
// CHECK:             math.log
// CHECK:           } {poly.loop = #poly.loop<parallel, iterator = "i">}

// CHECK-LABEL: func.func @walk
// CHECK:             affine.store %{{.*}}, %seed
// CHECK:           } {poly.loop = #poly.loop<iterator = "i">}
// CHECK:             math.exp
// CHECK:           } {poly.loop = #poly.loop<parallel, iterator = "i">}
// CHECK:             affine.store %{{.*}}, %y
// CHECK-NEXT:      } {poly.loop = #poly.loop<iterator = "i">}

// d[i + 1] is handed on: among lanes, it would be loaded behind a store to it.
// CHECK-LABEL: func.func @overwritten
// CHECK:             affine.load %d{{.*}}[%{{.*}} + 1]
// CHECK:           } {poly.loop = #poly.loop<iterator = "i">}
// CHECK:             math.log
// CHECK:             affine.store %{{.*}}, %d
// CHECK:           } {poly.loop = #poly.loop<parallel, iterator = "i">}
