// A complex number is two values, and an array of two in memory: an array of them has one dimension
// more. What is real is not made complex first.
// RUN: polyopt-cc --emit=source %s -o - | filecheck %s
// RUN: polyopt-cc --emit=source %s -o - | polyopt-opt | filecheck %s
// RUN: polyopt-cc -fcx-limited-range --emit=source %s -o - | filecheck %s --check-prefix=PLAIN
typedef double _Complex complex;
// CHECK-LABEL: @add(
// CHECK-SAME: %[[A:.*]]: f64, %[[AI:.*]]: f64, %[[B:.*]]: f64, %[[BI:.*]]: f64) -> (f64, f64)
complex add(complex a, complex b) {
    // CHECK-NEXT: %[[R:.*]] = arith.addf %[[A]], %[[B]]
    // CHECK-NEXT: %[[I:.*]] = arith.addf %[[AI]], %[[BI]]
    // CHECK-NEXT: func.return %[[R]], %[[I]]
    return a + b;
}
// CHECK-LABEL: @scale(
complex scale(double s, complex a) {
    // CHECK-NEXT: arith.mulf
    // CHECK-NEXT: arith.mulf
    // CHECK-NEXT: func.return
    return s * a;
}
// A product that is not a number is left to the library.
// CHECK-LABEL: @multiply(
// PLAIN-LABEL: @multiply(
complex multiply(complex a, complex b) {
    // CHECK: %[[ODD:.*]] = arith.cmpf uno
    // CHECK-NEXT: cf.cond_br %[[ODD]], ^[[AGAIN:.*]], ^[[END:.*]](
    // CHECK: ^[[AGAIN]]:
    // CHECK-NEXT: func.call @__muldc3
    // PLAIN-NOT: cmpf
    // PLAIN-NOT: call
    return a * b;
}
// CHECK-LABEL: @divide(
// PLAIN-LABEL: @divide(
complex divide(complex a, complex b) {
    // CHECK: func.call @__divdc3
    // PLAIN-COUNT-2: arith.divf
    return a / b;
}
// CHECK-LABEL: @sum(
complex sum(int n, complex a[n][n], int i) {
    // CHECK: cmem.view %{{.*}}[%{{.*}}] : memref<?x?x2xf64>
    // CHECK: memref.load %{{.*}}[%{{.*}}, %{{.*}}, %[[ZERO:.*]]] : memref<?x?x2xf64>
    // CHECK: memref.load %{{.*}}[%{{.*}}, %{{.*}}, %[[ONE:.*]]] : memref<?x?x2xf64>
    return a[i][1];
}
// Only the part that is named is read.
// CHECK-LABEL: @imaginary(
double imaginary(complex *a, int i) {
    // CHECK-COUNT-1: memref.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x2xf64>
    // CHECK-NOT: memref.load %{{.*}} : memref<?x2xf64>
    // CHECK: func.return
    return __imag__ a[i];
}
// Two floats travel in one register.
// CHECK-LABEL: @conjugate(
// CHECK-SAME: %[[Z:.*]]: f64) -> f64
float _Complex conjugate(float _Complex z) {
    // CHECK: arith.bitcast %[[Z]] : f64 to i64
    // CHECK: arith.negf
    // CHECK: arith.bitcast %{{.*}} : i64 to f64
    return ~z;
}
