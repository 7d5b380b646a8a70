// Vector accesses keep their types; both forms of maps work, that of dimensions and the one of
// symbols only, into which subscripts are parsed.
// RUN: polyopt-opt %s -p affine-to-scf | filecheck %s

func.func @vectors(%A : memref<?x64xf64>, %i : index, %j : index) {
  %v = affine.vector_load %A[%i, %j * 4] : memref<?x64xf64>, vector<4xf64>
  "affine.vector_store"(%v, %A, %i, %j) {map = affine_map<(d0)[s0] -> (d0, s0 * 4)>} : (vector<4xf64>, memref<?x64xf64>, index, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @vectors
// CHECK-NEXT:    [[FOUR:%.*]] = arith.constant 4 : index
// CHECK-NEXT:    [[COLUMN:%.*]] = arith.muli %j, [[FOUR]] overflow<nsw> : index
// CHECK-NEXT:    %v = vector.load %A[%i, [[COLUMN]]] : memref<?x64xf64>, vector<4xf64>
// CHECK-NEXT:    vector.store %v, %A[%i, [[COLUMN]]] : memref<?x64xf64>, vector<4xf64>
