// A scheduler that there is not is an error that names those that there are.
// RUN: not polyopt-opt %s -p "poly-schedule{scheduler=best}" 2>&1 | filecheck %s

builtin.module {}

// CHECK: error: poly-schedule: unknown scheduler 'best'
// CHECK-NEXT: hint: one of identity, isl
