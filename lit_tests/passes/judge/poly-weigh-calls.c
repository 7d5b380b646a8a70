// What LLVM makes of the source is weighed under the flags of the module: calls that have vector forms are made for
// all lanes at once where approximations are allowed, one by one elsewhere.
//
// RUN: polyopt-cc -O3 -march=x86-64-v3 -ffast-math --print-after=poly-weigh -c -o /dev/null %s 2>&1 | grep poly.pays | filecheck %s --check-prefix=FAST
// RUN: polyopt-cc -O3 -march=x86-64-v3 -fno-math-errno --print-after=poly-weigh -c -o /dev/null %s 2>&1 | grep poly.pays | filecheck %s --check-prefix=STRICT

#include <math.h>
float a[1024], b[1024];

// FAST: poly.pays "f" {{.*}}source = array<f64: 2.57
// STRICT: poly.pays "f" {{.*}}source = array<f64: 2.04
void f(void) {
    for (int i = 0; i < 1024; i++)
        a[i] = expf(b[i]);
}
