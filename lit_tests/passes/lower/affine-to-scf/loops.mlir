// Loops keep their attributes; several bounds become a maximum and a minimum; a subscript that is
// used twice is computed once.
// RUN: polyopt-opt %s -p affine-to-scf | filecheck %s

func.func @loops(%A : memref<?x100xf64>, %n : index, %m : index) {
  affine.for %i = max affine_map<(d0) -> (d0 - 1, 0)>(%m) to min affine_map<(d0) -> (d0, 100)>(%n) step 4 {
    %x = affine.load %A[%i + 1, 2] : memref<?x100xf64>
    affine.store %x, %A[%i + 1, %i] : memref<?x100xf64>
  } {poly.loop = #poly.loop<parallel, vector>}
  func.return
}

// CHECK-LABEL: func.func @loops
// CHECK-NEXT:    %{{.*}} = arith.constant -1 : index
// CHECK-NEXT:    [[LOW:%.*]] = arith.addi %m, %{{.*}} overflow<nsw> : index
// CHECK-NEXT:    [[ZERO:%.*]] = arith.constant 0 : index
// CHECK-NEXT:    [[LOWER:%.*]] = arith.maxsi [[LOW]], [[ZERO]] : index
// CHECK-NEXT:    [[HUNDRED:%.*]] = arith.constant 100 : index
// CHECK-NEXT:    [[UPPER:%.*]] = arith.minsi %n, [[HUNDRED]] : index
// CHECK-NEXT:    [[STEP:%.*]] = arith.constant 4 : index
// CHECK-NEXT:    scf.for %i = [[LOWER]] to [[UPPER]] step [[STEP]] {
// CHECK-NEXT:      [[ONE:%.*]] = arith.constant 1 : index
// CHECK-NEXT:      [[NEXT:%.*]] = arith.addi %i, [[ONE]] overflow<nsw> : index
// CHECK-NEXT:      [[TWO:%.*]] = arith.constant 2 : index
// CHECK-NEXT:      %x = memref.load %A[[[NEXT]], [[TWO]]] : memref<?x100xf64>
// CHECK-NEXT:      memref.store %x, %A[[[NEXT]], %i] : memref<?x100xf64>
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel, vector>}
// CHECK-NEXT:    func.return
