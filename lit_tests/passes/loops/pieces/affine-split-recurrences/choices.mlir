// Of the greatest of several values, what the iteration before has made comes last, also where it went
// through memory; floating-point numbers stay in their order where NaNs or signs of zeros count.
// RUN: polyopt-opt %s -p 'affine-split-recurrences{march="x86-64-v3"}' | filecheck %s
builtin.module {
  func.func @whole(%n: index, %x: memref<?xi32> {llvm.noalias}, %y: memref<?xi32> {llvm.noalias}, %z: memref<?xi32> {llvm.noalias}) {
    affine.for %i = 1 to %n {
      %a = affine.load %x[%i + -1] : memref<?xi32>
      affine.store %a, %y[%i] : memref<?xi32>
      %b = affine.load %y[%i] : memref<?xi32>
      %c = affine.load %z[%i] : memref<?xi32>
      %d = affine.load %z[%i + 1] : memref<?xi32>
      %e = arith.maxsi %b, %c : i32
      %f = arith.maxsi %e, %d : i32
      affine.store %f, %x[%i] : memref<?xi32>
    }
    func.return
  }
  func.func @floats(%n: index, %x: memref<?xf32> {llvm.noalias}, %z: memref<?xf32> {llvm.noalias}) {
    affine.for %i = 1 to %n {
      %a = affine.load %x[%i + -1] : memref<?xf32>
      %c = affine.load %z[%i] : memref<?xf32>
      %d = affine.load %z[%i + 1] : memref<?xf32>
      %e = arith.maxnumf %a, %c fastmath<nnan> : f32
      %f = arith.maxnumf %e, %d fastmath<nnan> : f32
      %g = arith.minnumf %a, %c fastmath<nnan,nsz> : f32
      %h = arith.minnumf %g, %d fastmath<nnan,nsz> : f32
      %k = arith.mulf %f, %h : f32
      affine.store %k, %x[%i] : memref<?xf32>
    }
    func.return
  }
}

// CHECK-LABEL: func.func @whole
// CHECK:         %[[B:.*]] = affine.load %y
// CHECK-NEXT:    %[[C:.*]] = affine.load %z
// CHECK-NEXT:    %[[D:.*]] = affine.load %z
// CHECK-NEXT:    %[[E:.*]] = arith.maxsi %[[C]], %[[D]] : i32
// CHECK-NEXT:    %[[F:.*]] = arith.maxsi %[[E]], %[[B]] : i32
// CHECK-NEXT:    affine.store %[[F]], %x
// CHECK-LABEL: func.func @floats
// CHECK:         %[[A:.*]] = affine.load %x
// CHECK-NEXT:    %[[C:.*]] = affine.load %z
// CHECK-NEXT:    %[[D:.*]] = affine.load %z
// CHECK-NEXT:    %[[E:.*]] = arith.maxnumf %[[A]], %[[C]] fastmath<nnan> : f32
// CHECK-NEXT:    %[[F:.*]] = arith.maxnumf %[[E]], %[[D]] fastmath<nnan> : f32
// CHECK-NEXT:    %[[G:.*]] = arith.minnumf %[[C]], %[[D]] fastmath<nnan,nsz> : f32
// CHECK-NEXT:    %[[H:.*]] = arith.minnumf %[[G]], %[[A]] fastmath<nnan,nsz> : f32
// CHECK-NEXT:    arith.mulf %[[F]], %[[H]]
