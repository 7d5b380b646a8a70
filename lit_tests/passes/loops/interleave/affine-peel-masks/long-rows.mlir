// Steps of long rows that carry nothing are short: four vectors go in one, and what is left of a row
// goes vector by vector. Rows of which it is not known that they are long, and steps that
// accumulate one vector, stay as they are.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"}' | filecheck %s

func.func @long(%n : index, %A : memref<?x1000xf64> {llvm.noalias}, %B : memref<?x1000xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x1000xf64>
      %q = arith.mulf %a, %a : f64
      affine.store %q, %B[%i, %j] : memref<?x1000xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @long
// CHECK:         affine.for %v = 0 to {{.*}} step 16 {
// CHECK-COUNT-4:   pvec.write
// CHECK:         affine.for %v_1 = {{.*}} step 4 {
// CHECK-COUNT-1:   pvec.write
// CHECK:         affine.for %v_2 = {{.*}} step 4 {
// CHECK:           vector.create_mask

func.func @short(%n : index, %A : memref<?x100xf64> {llvm.noalias}, %B : memref<?x100xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x100xf64>
      %q = arith.mulf %a, %a : f64
      affine.store %q, %B[%i, %j] : memref<?x100xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @short
// CHECK-NOT:     step 16
// CHECK:         affine.for %v = 0 to {{.*}} step 4

func.func @unknown(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %j = 0 to %n {
    %a = affine.load %A[%j] : memref<?xf64>
    %q = arith.mulf %a, %a : f64
    affine.store %q, %B[%j] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @unknown
// CHECK-NOT:     step 16
// CHECK:         affine.for %v = 0 to {{.*}} step 4
