// RUN: polyopt-opt %s -p stencil-to-loops | filecheck %s

// A module without stencils stays as it is, equal operations and unused ones too.

// CHECK-LABEL: func.func @other
// CHECK-NEXT:    %x = memref.load %a[%i]
// CHECK-NEXT:    %y = memref.load %a[%i]
// CHECK-NEXT:    %unused = arith.addf %x, %y
// CHECK-NEXT:    func.return %x
func.func @other(%a : memref<?xf64>, %i : index) -> f64 {
  %x = memref.load %a[%i] : memref<?xf64>
  %y = memref.load %a[%i] : memref<?xf64>
  %unused = arith.addf %x, %y : f64
  func.return %x : f64
}
