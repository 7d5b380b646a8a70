// RUN: polyopt-opt -p affine-join-parts %s | filecheck %s

// Two halves of rows that touch are one nest.

// CHECK-LABEL: func.func @halves(
// CHECK:         affine.for %i = 0 to %n {
// CHECK-NEXT:      affine.for %j = %t to %n {
// CHECK-NEXT:        affine.for %k = 0 to %t {
// CHECK-NOT:     affine.for
// CHECK:         func.return
func.func @halves(%n : index, %t : index, %A : memref<?x2000xf64> {llvm.noalias}, %B : memref<?x2000xf64> {llvm.noalias}) {
  affine.for %i = 0 to %t {
    affine.for %j = %t to %n {
      affine.for %k = 0 to %t {
        %a = affine.load %B[%i, %k] : memref<?x2000xf64>
        %b = affine.load %B[%k, %j] : memref<?x2000xf64>
        %p = arith.mulf %a, %b : f64
        %c = affine.load %A[%i, %j] : memref<?x2000xf64>
        %d = arith.subf %c, %p : f64
        affine.store %d, %A[%i, %j] : memref<?x2000xf64>
      } {poly.loop = #poly.loop<reduces = ["A"], iterator = "k", contract>}
    } {poly.loop = #poly.loop<parallel, iterator = "j", contract>}
  } {poly.loop = #poly.loop<parallel, iterator = "i", contract>}
  affine.for %i = %t to %n {
    affine.for %j = %t to %n {
      affine.for %k = 0 to %t {
        %a = affine.load %B[%i, %k] : memref<?x2000xf64>
        %b = affine.load %B[%k, %j] : memref<?x2000xf64>
        %p = arith.mulf %a, %b : f64
        %c = affine.load %A[%i, %j] : memref<?x2000xf64>
        %d = arith.subf %c, %p : f64
        affine.store %d, %A[%i, %j] : memref<?x2000xf64>
      } {poly.loop = #poly.loop<reduces = ["A"], iterator = "k", contract>}
    } {poly.loop = #poly.loop<parallel, iterator = "j", contract>}
  } {poly.loop = #poly.loop<parallel, iterator = "i", contract>}
  func.return
}
