// RUN: polyopt-opt %s --print-debuginfo | filecheck %s
// Every operation knows the place in the C text that it comes from, through macros and #line.
#define SQUARE(x) ((x) * (x))

// CHECK-LABEL: func.func @f
double f(double a, int n) {
    // CHECK: arith.mulf %a, %a : f64 loc("{{.*}}locations.c":8:12)
    return SQUARE(a);
}

// CHECK-LABEL: func.func @g
#line 100 "other.y"
void g(double *p) {
    // CHECK: memref.store {{.*}} loc("other.y":102:5)
    p[0] = 1;
}
