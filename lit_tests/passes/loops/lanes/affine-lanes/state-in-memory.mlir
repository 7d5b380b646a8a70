// The members of a struct that each lane reads and writes over and over: other members are other
// elements, so that all of them stay in registers around the loop, and are stored behind it.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3" vectors=1 force=true}' | filecheck %s

func.func @steps(%n : index, %m : index, %h : f64, %A : memref<?xf64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %A[2 * %i] : memref<?xf64>
      %y = affine.load %A[2 * %i + 1] : memref<?xf64>
      %p = arith.mulf %h, %y : f64
      %s = arith.addf %x, %p : f64
      affine.store %s, %A[2 * %i] : memref<?xf64>
      %q = arith.mulf %h, %s : f64
      %t = arith.subf %y, %q : f64
      affine.store %t, %A[2 * %i + 1] : memref<?xf64>
    }
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @steps
// CHECK:         pvec.read %A[%i * 2] by [2]
// CHECK:         pvec.read %A[%i * 2 + 1]
// CHECK:         affine.for %time = 0 to {{.*}} iter_args(
// CHECK-NOT:       pvec.
// CHECK:           affine.yield {{.*}} : vector<4xf64>, vector<4xf64>
// CHECK:         pvec.write {{.*}}, %A[%i * 2]
// CHECK:         pvec.write {{.*}}, %A[%i * 2 + 1]
