// A nest that nobody has cut becomes the loops that it stands for, with what is known of them; what
// goes around its updates, loops in front and behind.
// RUN: polyopt-opt %s -p contract-to-affine | filecheck %s

// CHECK-LABEL: func.func @nest
// CHECK-NEXT:    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:      affine.for %j = 0 to affine_map<(d0) -> ((d0 + 1))>(%i) {
// CHECK-NEXT:        [[OLD:%.*]] = affine.load %C[%i, %j]
// CHECK-NEXT:        [[NEW:%.*]] = arith.mulf [[OLD]], [[OLD]]
// CHECK-NEXT:        affine.store [[NEW]], %C[%i, %j]
// CHECK:         affine.for %i_1 = 0 to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:      affine.for %j_1 = 0 to affine_map<(d0) -> ((d0 + 1))>(%i_1) {
// CHECK-NEXT:        affine.for %k = 0 to 64 {
// CHECK-NEXT:          [[P:%.*]] = affine.load %A[%i_1, %k]
// CHECK-NEXT:          [[Q:%.*]] = affine.load %B[%k, %j_1 + 1]
// CHECK-NEXT:          [[T:%.*]] = arith.mulf [[P]], [[Q]]
// CHECK-NEXT:          [[X:%.*]] = affine.load %C[%i_1, %j_1]
// CHECK-NEXT:          [[Y:%.*]] = arith.addf [[X]], [[T]]
// CHECK-NEXT:          affine.store [[Y]], %C[%i_1, %j_1]
// CHECK-NEXT:        } {poly.loop = #poly.loop<serial>}
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel, iterator = "j">}
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:    affine.for
// CHECK-NEXT:      affine.for
// CHECK-NEXT:        [[S:%.*]] = affine.load %C
// CHECK-NEXT:        affine.store [[S]], %Y
func.func @nest(%n: index, %C: memref<?x?xf64>, %A: memref<?x?xf64>, %B: memref<?x?xf64>,
                %Y: memref<?x?xf64>) {
  contract.nest ["rows", "columns", "depth"]
    in affine_set<(i, j, k)[n] : (i >= 0, n - i - 1 >= 0, j >= 0, i - j >= 0, k >= 0, 63 - k >= 0)>
    with (%n) updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
    at [affine_map<(i, j, k)[n] -> (i, j)>, affine_map<(i, j, k)[n] -> (i, k)>,
        affine_map<(i, j, k)[n] -> (k, j + 1)>]
    loops [#poly.loop<parallel>, #poly.loop<parallel, iterator = "j">, #poly.loop<serial>] {
  ^bb0(%i: index, %j: index, %k: index, %x: f64, %p: f64, %q: f64):
    contract.begin %x : f64 {
    ^bb0(%old: f64):
      %square = arith.mulf %old, %old : f64
      contract.yield %square : f64
    }
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    contract.finish %x : f64 to %Y at affine_map<(i, j) -> (i, j)>(%i, %j) : memref<?x?xf64> {
    ^bb0(%sum: f64):
      contract.yield %sum : f64
    }
    contract.yield %y : f64
  }
  func.return
}
