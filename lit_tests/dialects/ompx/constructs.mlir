// RUN: polyopt-opt %s | polyopt-opt | filecheck %s
// RUN: polyopt-opt %s --print-op-generic | polyopt-opt | filecheck %s

// Constructs around regions are read and printed.

// CHECK:       ompx.critical "name" {
// CHECK:       ompx.ordered {
// CHECK:       ompx.last {
// CHECK:       "ompx.sections"() <{nowait}> ({
// CHECK:       %before, %after = ompx.atomic_update %c[] {
// CHECK:         ompx.yield %old : i32
// CHECK:       : memref<i32> -> i32, i32
func.func @constructs(%c: memref<i32>) {
  ompx.critical "name" {
    "omp.terminator"() : () -> ()
  }
  ompx.ordered {
    "omp.terminator"() : () -> ()
  }
  ompx.last {
    "omp.terminator"() : () -> ()
  }
  "ompx.sections"() <{nowait}> ({
    "omp.terminator"() : () -> ()
  }) : () -> ()
  %before, %after = ompx.atomic_update %c[] {
  ^bb0(%old: i32):
    ompx.yield %old : i32
  } : memref<i32> -> i32, i32
  func.return
}
