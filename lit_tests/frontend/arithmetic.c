// RUN: polyopt-opt %s | filecheck %s
// Which operation an operator is depends on the types of its operands after conversion.

double sqrt(double);
float expf(float);
double cbrt(double);
double fmax(double, double);

// Signed + - * cannot overflow; unsigned ones wrap.
// CHECK-LABEL: func.func @overflow
// CHECK:         arith.muli %a, %b overflow<nsw> : i32
// CHECK:         arith.muli %u, %v : i32
// CHECK:         arith.divsi
// CHECK:         arith.divui
// CHECK:         arith.shrsi
// CHECK:         arith.shrui
int overflow(int a, int b, unsigned u, unsigned v) {
    return a * b + (int)(u * v) + a / b + (int)(u / v) + (a >> 2) + (int)(u >> 2);
}

// CHECK-LABEL: func.func @compare
// CHECK:         arith.cmpi slt, %a, %b : i32
// CHECK:         arith.cmpi ult, %u, %{{.*}} : i32
// CHECK:         arith.cmpf olt, %x, %y : f64
// CHECK:         arith.cmpf une, %x, %y : f64
int compare(int a, int b, unsigned u, double x, double y) {
    return (a < b) + (u < a) + (x < y) + (x != y);
}

// float arithmetic stays float; with a double it is double.
// CHECK-LABEL: func.func @precision
// CHECK:         %[[F:.*]] = arith.mulf %f, %g : f32
// CHECK:         %[[D:.*]] = arith.extf %[[F]] : f32 to f64
// CHECK:         arith.addf %[[D]], %d : f64
double precision(float f, float g, double d) { return f * g + d; }

// CHECK-LABEL: func.func @narrow
// CHECK-DAG:     arith.extsi %c : i8 to i32
// CHECK-DAG:     arith.extui %u : i8 to i32
// CHECK:         arith.trunci %{{.*}} : i32 to i8
unsigned char narrow(signed char c, unsigned char u) { return c + u; }

// Functions of libm are operations where there is one.
// CHECK-LABEL: func.func @library
// CHECK:         math.sqrt %x : f64
// CHECK:         math.exp %f : f32
// CHECK:         arith.maxnumf %x, %{{.*}} : f64
// CHECK:         func.call @cbrt(%x) : (f64) -> f64
double library(double x, float f) { return sqrt(x) + expf(f) + fmax(x, 1) + cbrt(x); }

// A compound assignment evaluates its place once.
// CHECK-LABEL: func.func @once
// CHECK:         func.call @next() : () -> i32
// CHECK-NOT:     func.call
// CHECK:         %[[OLD:.*]] = memref.load %[[A:.*]][%[[I:.*]]] : memref<?xf64>
// CHECK:         memref.store %{{.*}}, %[[A]][%[[I]]] : memref<?xf64>
int next(void);
void once(double *a) { a[next()] += 1; }
