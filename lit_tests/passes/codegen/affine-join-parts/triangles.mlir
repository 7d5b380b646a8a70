// RUN: polyopt-opt -p affine-join-parts %s | filecheck %s

// What is below a diagonal and what is on it or above it, of a square from t to n, are one nest.

// CHECK-LABEL: func.func @both(
// CHECK:         affine.for %i = %t to %n {
// CHECK-NEXT:      affine.for %j = %t to %n {
// CHECK-NEXT:        affine.for %k = 0 to %t {
// CHECK:             } {poly.loop = #poly.loop<reduces = ["A"], iterator = "k", contract>}
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel, iterator = "j", contract>}
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel, iterator = "i", contract>}
// CHECK-NEXT:    func.return
func.func @both(%n : index, %t : index, %A : memref<?x2000xf64>) {
  affine.for %i = affine_map<()[s0] -> (s0 + 1)>()[%t] to %n {
    affine.for %j = %t to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to %t {
        %a = affine.load %A[%i, %k] : memref<?x2000xf64>
        %b = affine.load %A[%k, %j] : memref<?x2000xf64>
        %p = arith.mulf %a, %b : f64
        %c = affine.load %A[%i, %j] : memref<?x2000xf64>
        %d = arith.subf %c, %p : f64
        affine.store %d, %A[%i, %j] : memref<?x2000xf64>
      } {poly.loop = #poly.loop<reduces = ["A"], iterator = "k", contract>}
    } {poly.loop = #poly.loop<parallel, iterator = "j", contract>}
  } {poly.loop = #poly.loop<parallel, iterator = "i", contract>}
  affine.for %i = %t to %n {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
      affine.for %k = 0 to %t {
        %a = affine.load %A[%i, %k] : memref<?x2000xf64>
        %b = affine.load %A[%k, %j] : memref<?x2000xf64>
        %p = arith.mulf %a, %b : f64
        %c = affine.load %A[%i, %j] : memref<?x2000xf64>
        %d = arith.subf %c, %p : f64
        affine.store %d, %A[%i, %j] : memref<?x2000xf64>
      } {poly.loop = #poly.loop<reduces = ["A"], iterator = "k", contract>}
    } {poly.loop = #poly.loop<parallel, iterator = "j", contract>}
  } {poly.loop = #poly.loop<parallel, iterator = "i", contract>}
  func.return
}
