// What the iteration before has only just made is added last, where the order of a sum is free; what
// is older, or from elsewhere, before it. Nothing is changed where the order is that of the source, nor
// in a loop that takes nothing from the iteration before.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"}' | filecheck %s

func.func @second_order(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %C : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 2 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %y1 = affine.load %A[%i - 1] : memref<?xf64>
    %b = affine.load %B[%i] : memref<?xf64>
    %p1 = arith.mulf %y1, %b fastmath<fast> : f64
    %s1 = arith.subf %a, %p1 fastmath<fast> : f64
    %y2 = affine.load %A[%i - 2] : memref<?xf64>
    %c = affine.load %C[%i] : memref<?xf64>
    %p2 = arith.mulf %y2, %c fastmath<fast> : f64
    %s2 = arith.addf %s1, %p2 fastmath<fast> : f64
    affine.store %s2, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @second_order
// CHECK:         [[EARLY:%.*]] = arith.addf %a, %p2 fastmath<fast> : f64
// CHECK-NEXT:    [[ALL:%.*]] = arith.subf [[EARLY]], %p1 fastmath<fast> {poly.rounding = #poly.rounding<in_order>} : f64
// CHECK-NEXT:    affine.store [[ALL]], %A[%i]

func.func @in_order(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %C : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 2 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %y1 = affine.load %A[%i - 1] : memref<?xf64>
    %b = affine.load %B[%i] : memref<?xf64>
    %p1 = arith.mulf %y1, %b : f64
    %s1 = arith.addf %a, %p1 : f64
    %y2 = affine.load %A[%i - 2] : memref<?xf64>
    %s2 = arith.addf %s1, %y2 : f64
    affine.store %s2, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @in_order
// CHECK:         [[S1:%.*]] = arith.addf %a, %p1 : f64
// CHECK:         arith.addf [[S1]], %A_2 : f64

// A quotient in a subscript is nothing that the iteration before has stored.
func.func @beside_a_quotient(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 1 to %n {
    %h = affine.load %A[%i floordiv 2] : memref<?xf64>
    %y1 = affine.load %A[%i - 1] : memref<?xf64>
    %s1 = arith.addf %h, %y1 fastmath<fast> : f64
    %b = affine.load %B[%i] : memref<?xf64>
    %s2 = arith.addf %s1, %b fastmath<fast> : f64
    affine.store %s2, %A[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<serial>}
  func.return
}

// CHECK-LABEL: func.func @beside_a_quotient
// CHECK:         [[EARLY:%.*]] = arith.addf %h, %b fastmath<fast> : f64
// CHECK-NEXT:    [[ALL:%.*]] = arith.addf [[EARLY]], %y1 fastmath<fast> {poly.rounding = #poly.rounding<in_order>} : f64
// CHECK-NEXT:    affine.store [[ALL]], %A[%i]
