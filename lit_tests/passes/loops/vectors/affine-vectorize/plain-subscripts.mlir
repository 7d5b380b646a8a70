// A quotient that the loop does not change is a value in front of it, once; one that it changes stays.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

func.func @rows(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %a = affine.load %A[%i floordiv 2, %j + %i mod 2] : memref<?x?xf64>
      %b = affine.load %A[%i floordiv 2 + 1, %j] : memref<?x?xf64>
      %s = arith.addf %a, %b : f64
      affine.store %s, %B[%i, %j] : memref<?x?xf64>
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @rows
// CHECK:         affine.for %i
// CHECK-NEXT:      [[P:%.*]] = affine.apply affine_map<(d0) -> ((d0 floordiv 2))> (%i)
// CHECK-NEXT:      [[Q:%.*]] = affine.apply affine_map<(d0) -> ((d0 mod 2))> (%i)
// CHECK-NOT:       floordiv 2
// CHECK:           pvec.read %A{{\[}}[[P]], {{.*}}[[Q]]{{.*}}] {{.*}} vector<8xf64>
// CHECK:           pvec.read %A{{\[}}[[P]] + 1, %v] {{.*}} vector<8xf64>

func.func @changed(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %j = 0 to %n {
    %a = affine.load %A[%j floordiv 2] : memref<?xf64>
    affine.store %a, %B[%j] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @changed
// CHECK-NEXT:    affine.for
// CHECK-NEXT:      affine.load %A[%j floordiv 2]
