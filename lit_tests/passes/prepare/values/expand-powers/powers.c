// RUN: polyopt-opt %s --cflags=-ffast-math -p expand-powers | filecheck %s
// Powers by whole exponents, halves and quarters are products where approximations are allowed, and those of a
// number above zero are powers of two.
#include <math.h>

// CHECK-LABEL: func.func @cube_and_half
// CHECK:         [[SQUARE:%.*]] = arith.mulf %x, %x : f64
// CHECK-NEXT:    [[ROOT:%.*]] = math.sqrt %x : f64
// CHECK-NEXT:    [[CUBE:%.*]] = arith.mulf %x, [[SQUARE]] : f64
// CHECK-NEXT:    [[ALL:%.*]] = arith.mulf [[CUBE]], [[ROOT]] : f64
// CHECK-NEXT:    [[ONE:%.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:    arith.divf [[ONE]], [[ALL]] : f64
// CHECK-NOT:     math.powf
double cube_and_half(double x) { return pow(x, -3.5); }

// CHECK-LABEL: func.func @of_two
// CHECK:         math.exp2 %y : f32
// CHECK-LABEL: func.func @of_eight
// CHECK:         [[THREE:%.*]] = arith.constant 3.000000e+00 : f64
// CHECK:         [[SCALED:%.*]] = arith.mulf %y, [[THREE]] : f64
// CHECK-NEXT:    math.exp2 [[SCALED]] : f64
float of_two(float y) { return powf(2.0f, y); }
double of_eight(double y) { return pow(8, y); }

// CHECK-LABEL: func.func @nothing
// CHECK:         [[ONE:%.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:    func.return [[ONE]]
double nothing(double x) { return pow(x, 0); }

// CHECK-LABEL: func.func @three_quarters
// CHECK:         [[ROOT:%.*]] = math.sqrt %x : f32
// CHECK-NEXT:    [[QUARTER:%.*]] = math.sqrt [[ROOT]] : f32
// CHECK-NEXT:    [[ALL:%.*]] = arith.mulf [[ROOT]], [[QUARTER]] : f32
// CHECK-NEXT:    [[ONE:%.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    arith.divf [[ONE]], [[ALL]] : f32
// CHECK-LABEL: func.func @and_a_quarter
// CHECK:         [[ROOT:%.*]] = math.sqrt %x : f64
// CHECK-NEXT:    [[QUARTER:%.*]] = math.sqrt [[ROOT]] : f64
// CHECK-NEXT:    arith.mulf %x, [[QUARTER]] : f64
// CHECK-NOT:     math.powf
float three_quarters(float x) { return powf(x, -0.75f); }
double and_a_quarter(double x) { return pow(x, 1.25); }
