// RUN: polyopt-opt %s -p raise-to-affine --remarks 2>&1 | filecheck %s

// A copy in a loop is loops like those around it, with sizes that are known at run time only; one
// outside of loops stays a copy of memory. Loops that stand in no function are told of.

// CHECK-LABEL: func.func @back
// CHECK:         affine.for %t = 0 to %n {
// CHECK:           affine.for %i = 0 to %{{.*}} {
// CHECK-NEXT:        affine.for %j = 0 to 8 {
// CHECK-NEXT:          %{{.*}} = affine.load %b[%i, %j]
// CHECK-NEXT:          affine.store %{{.*}}, %a[%i, %j]
// CHECK-NOT:     affine.
// CHECK:         "memref.copy"(%a, %b)
func.func @back(%a : memref<?x8xf64>, %b : memref<?x8xf64>, %n : index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    "memref.copy"(%b, %a) : (memref<?x8xf64>, memref<?x8xf64>) -> ()
  }
  "memref.copy"(%a, %b) : (memref<?x8xf64>, memref<?x8xf64>) -> ()
  func.return
}

%from = arith.constant 0 : index
%to = arith.constant 9 : index
scf.for %i = %from to %to step %to {
}

// CHECK: missed: loop not optimised: it stands in no func.func [no-function]
