// A reduction over affine.parallel has no order to lower to: it is refused.
// RUN: polyopt-opt %s -p affine-to-scf --verify-diagnostics | filecheck %s

func.func @reduction(%A : memref<?xf64>, %i0 : index) {
  %r = "affine.parallel"(%i0) ({
  ^bb0(%i : index):
    %x = affine.load %A[%i] : memref<?xf64>
    "affine.yield"(%x) : (f64) -> ()
  }) {
    lowerBoundsMap = affine_map<() -> (0)>, upperBoundsMap = affine_map<() -> (8)>,
    lowerBoundsGroups = dense<1> : vector<1xi32>, upperBoundsGroups = dense<1> : vector<1xi32>,
    steps = [1], reductions = ["addf"]
  } : (index) -> f64
  func.return
}

// CHECK: affine.parallel with reductions
