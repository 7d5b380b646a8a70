// A conjunction becomes comparisons of sums without negations; results pass through the branch.
// RUN: polyopt-opt %s -p affine-to-scf | filecheck %s

func.func @branch(%A : memref<?xf64>, %i : index, %n : index, %x : f64, %y : f64) {
  %z = "affine.if"(%i, %n) ({
    "affine.yield"(%x) : (f64) -> ()
  }, {
    "affine.yield"(%y) : (f64) -> ()
  }) {condition = affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0, d0 mod 2 == 0)>} : (index, index) -> f64
  affine.store %z, %A[%i] : memref<?xf64>
  func.return
}

// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    [[LESS:%.*]] = arith.cmpi sgt, %n, %i : index
// CHECK-NEXT:    [[ONE:%.*]] = arith.constant 1 : index
// CHECK-NEXT:    [[MOD:%.*]] = arith.andi %i, [[ONE]] : index
// CHECK-NEXT:    [[ZERO:%.*]] = arith.constant 0 : index
// CHECK-NEXT:    [[EVEN:%.*]] = arith.cmpi eq, [[MOD]], [[ZERO]] : index
// CHECK-NEXT:    [[BOTH:%.*]] = arith.andi [[LESS]], [[EVEN]] : i1
// CHECK-NEXT:    %z = scf.if [[BOTH]] -> (f64) {
// CHECK-NEXT:      scf.yield %x : f64
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %y : f64
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.store %z, %A[%i] : memref<?xf64>
