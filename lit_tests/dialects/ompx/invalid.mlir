// RUN: polyopt-opt %s --split-input-file --verify-diagnostics | filecheck %s

// A place has one element's indices and type, and the machine's operations are a few.

func.func @indices(%m: memref<4xf64>) {
  %0 = ompx.atomic_read %m[] : memref<4xf64> -> f64
  func.return
}
// CHECK: expected one index for each dimension

// -----

func.func @types(%m: memref<f64>, %n: i32) {
  ompx.atomic_write %n, %m[] : i32, memref<f64>
  func.return
}
// CHECK: expected a value of type f64

// -----

func.func @kinds(%m: memref<i32>, %n: i32) {
  %0 = ompx.fetch "mul" %n, %m[] : i32, memref<i32> -> i32
  func.return
}
// CHECK: expected one of add, sub, and, or, xor
