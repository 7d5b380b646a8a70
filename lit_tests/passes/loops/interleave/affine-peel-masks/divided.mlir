// Steps of long rows that wait for the divider would wait as long four at once: one vector goes in
// a step that does more than a little. A quotient alone is as short as other steps, and products
// with a reciprocal that stays wait for nothing.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"}' | filecheck %s

func.func @much(%n : index, %c : f64, %A : memref<?x1000xf64> {llvm.noalias}, %B : memref<?x1000xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x1000xf64>
      %1 = arith.addf %a, %c : f64
      %2 = arith.mulf %1, %a : f64
      %3 = arith.addf %2, %c : f64
      %4 = arith.mulf %3, %a : f64
      %5 = arith.addf %4, %c : f64
      %6 = arith.mulf %5, %a : f64
      %7 = arith.addf %6, %c : f64
      %q = arith.divf %7, %a : f64
      affine.store %q, %B[%i, %j] : memref<?x1000xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @much
// CHECK-NOT:     step 16
// CHECK:         affine.for %v = 0 to {{.*}} step 4 {
// CHECK:             no_unroll
// CHECK:         affine.for %v_1 = {{.*}} step 4 {
// CHECK:           vector.create_mask

func.func @little(%n : index, %A : memref<?x1000xf64> {llvm.noalias}, %B : memref<?x1000xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x1000xf64>
      %b = affine.load %B[%i, %j] : memref<?x1000xf64>
      %q = arith.divf %b, %a : f64
      affine.store %q, %B[%i, %j] : memref<?x1000xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @little
// CHECK:         affine.for %v = 0 to {{.*}} step 16 {

func.func @reciprocal(%n : index, %c : f64, %A : memref<?x1000xf64> {llvm.noalias}, %B : memref<?x1000xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x1000xf64>
      %1 = arith.addf %a, %c : f64
      %2 = arith.mulf %1, %a : f64
      %3 = arith.addf %2, %c : f64
      %4 = arith.mulf %3, %a : f64
      %5 = arith.addf %4, %c : f64
      %6 = arith.mulf %5, %a : f64
      %7 = arith.addf %6, %c : f64
      %q = arith.divf %7, %c fastmath<fast> : f64
      affine.store %q, %B[%i, %j] : memref<?x1000xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @reciprocal
// CHECK:         affine.for %v = 0 to {{.*}} step 16 {
