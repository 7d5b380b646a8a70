// Every other element of a row, from its neighbours: the stores under a mask begin as far in front as
// the loads do, and end where the loads of the next vectors begin. From further behind, each vector
// would wait for the stores of the one before, and the loop has none; unless there is enough else to do.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"},affine-peel-masks{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

// CHECK-LABEL: func.func @neighbours
// CHECK:         affine.for %v = 0
// CHECK-NEXT:      affine.vector_load %u[%v * 2 + 1] : memref<?xf64>, vector<8xf64>
// CHECK:           [[M:%.*]] = arith.constant dense<[false, true, false, true, false, true, false, true]> : vector<8xi1>
// CHECK:           [[AT:%.*]] = affine.apply affine_map<(d0) -> (((d0 * 2) + 1))> (%v)
// CHECK-NEXT:      vector.maskedstore %u[[[AT]]], [[M]],
func.func @neighbours(%n : index, %u : memref<?xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %u[%i * 2 + 1] : memref<?xf64>
    %b = affine.load %u[%i * 2 + 3] : memref<?xf64>
    %s = arith.addf %a, %b : f64
    affine.store %s, %u[%i * 2 + 2] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @further_behind
// CHECK-NOT:     vector<
// CHECK:         } {poly.loop = #poly.loop<parallel, no_vector>}
func.func @further_behind(%n : index, %u : memref<?xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %u[%i * 2 + 1] : memref<?xf64>
    %b = affine.load %u[%i * 2 + 3] : memref<?xf64>
    %s = arith.addf %a, %b : f64
    affine.store %s, %u[%i * 2 + 4] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// CHECK-LABEL: func.func @quotients
// CHECK:         vector.maskedstore
func.func @quotients(%n : index, %u : memref<?xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %u[%i * 2 + 1] : memref<?xf64>
    %b = affine.load %u[%i * 2 + 3] : memref<?xf64>
    %c = arith.divf %a, %b : f64
    %d = arith.divf %b, %c : f64
    %e = arith.divf %c, %d : f64
    affine.store %e, %u[%i * 2 + 4] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}

// Of another row nothing is met.
// CHECK-LABEL: func.func @row_before
// CHECK:         vector.maskedstore
func.func @row_before(%n : index, %r : index, %u : memref<?x?xf64>) {
  affine.for %i = 0 to %n {
    %a = affine.load %u[%r, %i * 2 + 1] : memref<?x?xf64>
    %b = affine.load %u[%r, %i * 2 + 3] : memref<?x?xf64>
    %s = arith.addf %a, %b : f64
    affine.store %s, %u[%r + 1, %i * 2 + 4] : memref<?x?xf64>
  } {poly.loop = #poly.loop<parallel>}
  func.return
}
