// A sum whose order is free runs in the lanes of four vectors, then of one; the lanes are added up
// at the end, and their sum to memory.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s

func.func @sum(%n : index, %S : memref<f64> {llvm.noalias}, %A : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    %s = affine.load %S[] : memref<f64>
    %a = affine.load %A[%i] : memref<?xf64>
    %q = arith.mulf %a, %a fastmath<reassoc> : f64
    %t = arith.addf %s, %q fastmath<reassoc> : f64
    affine.store %t, %S[] : memref<f64>
  }
  func.return
}

// CHECK-LABEL: func.func @sum
// CHECK:       [[ZERO:%.*]] = vector.broadcast {{.*}} : f64 to vector<4xf64>
// CHECK:       affine.for %v = 0 to {{.*}} step 16 iter_args
// CHECK:       affine.for %v_1 = {{.*}} step 4 iter_args
// CHECK-NOT:     maskedload
// CHECK:       affine.for %v_2 = {{.*}} step 4 iter_args
// CHECK:         vector.maskedload %A
// CHECK:         pvec.select
// CHECK:       vector.reduction <add>
// CHECK-NEXT:  affine.load %S[]
// CHECK-NEXT:  arith.addf
// CHECK-NEXT:  affine.store {{.*}}, %S[]
