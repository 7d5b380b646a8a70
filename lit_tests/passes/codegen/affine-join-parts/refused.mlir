// RUN: polyopt-opt -p affine-join-parts %s | filecheck %s

// Parts are left alone that leave something out, that have something in common, that do not do the
// same, or of which one needs what another one makes.

// CHECK-LABEL: func.func @without_the_diagonal(
// CHECK-COUNT-6: affine.for
// CHECK:         func.return
func.func @without_the_diagonal(%n : index, %t : index, %A : memref<?x2000xf64>) {
  affine.for %i = %t to %n {
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
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to %n {
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

// CHECK-LABEL: func.func @the_diagonal_twice(
// CHECK-COUNT-6: affine.for
// CHECK:         func.return
func.func @the_diagonal_twice(%n : index, %t : index, %A : memref<?x2000xf64>) {
  affine.for %i = %t to %n {
    affine.for %j = %t to affine_map<(d0) -> (d0 + 1)>(%i) {
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

// CHECK-LABEL: func.func @a_sum_and_a_difference(
// CHECK-COUNT-6: affine.for
// CHECK:         func.return
func.func @a_sum_and_a_difference(%n : index, %t : index, %A : memref<?x2000xf64>) {
  affine.for %i = %t to %n {
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
        %d = arith.addf %c, %p : f64
        affine.store %d, %A[%i, %j] : memref<?x2000xf64>
      } {poly.loop = #poly.loop<reduces = ["A"], iterator = "k", contract>}
    } {poly.loop = #poly.loop<parallel, iterator = "j", contract>}
  } {poly.loop = #poly.loop<parallel, iterator = "i", contract>}
  func.return
}

// CHECK-LABEL: func.func @of_rows_that_change(
// CHECK-COUNT-6: affine.for
// CHECK:         func.return
func.func @of_rows_that_change(%n : index, %t : index, %A : memref<?x2000xf64>) {
  affine.for %i = %t to %n {
    affine.for %j = %t to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to %n {
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
      affine.for %k = 0 to %n {
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

// With the sum outermost, what it carries from one element to another is carried by it alone: the part
// above the diagonal reads what the part below has left at the end of all sums.
// CHECK-LABEL: func.func @the_sum_outermost(
// CHECK-COUNT-6: affine.for
// CHECK:         func.return
func.func @the_sum_outermost(%n : index, %A : memref<?x2000xf64>) {
  affine.for %k = 0 to %n {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to affine_map<(d0) -> (d0)>(%i) {
        %a = affine.load %A[%i, %k] : memref<?x2000xf64>
        %b = affine.load %A[%k, %j] : memref<?x2000xf64>
        %p = arith.mulf %a, %b : f64
        %c = affine.load %A[%i, %j] : memref<?x2000xf64>
        %d = arith.subf %c, %p : f64
        affine.store %d, %A[%i, %j] : memref<?x2000xf64>
      } {poly.loop = #poly.loop<iterator = "j", contract>}
    } {poly.loop = #poly.loop<iterator = "i", contract>}
  } {poly.loop = #poly.loop<reduces = ["A"], iterator = "k", contract>}
  affine.for %k = 0 to %n {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
      affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
        %a = affine.load %A[%i, %k] : memref<?x2000xf64>
        %b = affine.load %A[%k, %j] : memref<?x2000xf64>
        %p = arith.mulf %a, %b : f64
        %c = affine.load %A[%i, %j] : memref<?x2000xf64>
        %d = arith.subf %c, %p : f64
        affine.store %d, %A[%i, %j] : memref<?x2000xf64>
      } {poly.loop = #poly.loop<iterator = "j", contract>}
    } {poly.loop = #poly.loop<iterator = "i", contract>}
  } {poly.loop = #poly.loop<reduces = ["A"], iterator = "k", contract>}
  func.return
}
