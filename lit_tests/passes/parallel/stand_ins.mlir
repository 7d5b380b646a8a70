// RUN: polyopt-opt %s -p omp-outline | filecheck %s

// A region is given the place of a copy: the variable itself is nobody else's, so that it may stay in a register. What a
// region only reads is not taken back; arrays that are no variables, and what is given to the function, are given as they are.

// CHECK-LABEL: func.func @f
// CHECK:         %s = memref.alloca() : memref<f64>
// CHECK-NEXT:    %[[S:.*]] = memref.alloca() : memref<f64>
// CHECK:         %t = memref.alloca() : memref<2xf64>
// CHECK-NEXT:    %[[T:.*]] = memref.alloca() : memref<2xf64>
// CHECK:         memref.load %s[]
// CHECK:         memref.store %{{.*}}, %[[S]][]
// CHECK:         memref.load %t[
// CHECK:         memref.load %t[
// CHECK:         team.fork @f.team0(%[[S]], %[[T]], %row, %A)
// CHECK:         memref.load %[[S]][]
// CHECK:         memref.store %{{.*}}, %s[]
// CHECK-NOT:     memref.store %{{.*}}, %t
// CHECK:         func.return
func.func @f(%A: memref<?xf64>, %n: index, %x: f64) -> f64 {
  %s = memref.alloca() : memref<f64>
  %t = memref.alloca() : memref<2xf64>
  %row = memref.alloca() : memref<100xf64>
  %one = arith.constant 1 : index
  affine.store %x, %s[] : memref<f64>
  "omp.parallel"(%n) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    %old = affine.load %s[] : memref<f64>
    %more = affine.load %t[1] : memref<2xf64>
    %sum = arith.addf %old, %more : f64
    affine.store %sum, %s[] : memref<f64>
    affine.store %sum, %row[7] : memref<100xf64>
    affine.store %sum, %A[7] : memref<?xf64>
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  %made = affine.load %s[] : memref<f64>
  func.return %made : f64
}
