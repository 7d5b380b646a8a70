// A product in loops becomes an operation: roles by what the result varies with, maps, facts on the
// loops. Where sizes are not known, a test chooses between it and the loops, which LLVM is asked not
// to unroll. A triangle has the domain of its loops; alpha * A is part of the body.
// RUN: polyopt-opt %s -p affine-contract | filecheck %s

func.func @triangle(%n: index, %alpha: f64, %C: memref<?x?xf64> {llvm.noalias},
                    %A: memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %k = 0 to 64 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %C[%i, %j] : memref<?x?xf64>
        %p = affine.load %A[%i, %k] : memref<?x?xf64>
        %u = arith.mulf %alpha, %p : f64
        %q = affine.load %A[%j, %k] : memref<?x?xf64>
        %t = arith.mulf %u, %q : f64
        %y = arith.addf %x, %t : f64
        affine.store %y, %C[%i, %j] : memref<?x?xf64>
      } {poly.loop = #poly.loop<parallel>}
    }
  }
  func.return
}

// CHECK-LABEL: func.func @triangle
// CHECK-NEXT:    "affine.if"(%n)
// CHECK-NEXT:      contract.nest ["rows", "depth", "columns"] in affine_set<(d0, d1, d2)[s0] : (d0 >= 0, ((s0 + (d0 * -1)) + -1) >= 0, d1 >= 0, ((d1 * -1) + 63) >= 0, d2 >= 0, (d0 + (d2 * -1)) >= 0)> with(%n) updates(%C : memref<?x?xf64>) takes(%A, %A : memref<?x?xf64>, memref<?x?xf64>) at [affine_map<(d0, d1, d2)[s0] -> (d0, d2)>, affine_map<(d0, d1, d2)[s0] -> (d0, d1)>, affine_map<(d0, d1, d2)[s0] -> (d2, d1)>] loops [#poly.loop<>, #poly.loop<>, #poly.loop<parallel>] {
// CHECK-NEXT:      ^bb0(%i: index, %k: index, %j: index, %x: f64, %p: f64, %q: f64):
// CHECK-NEXT:        [[U:%.*]] = arith.mulf %alpha, %p
// CHECK-NEXT:        [[T:%.*]] = arith.mulf [[U]], %q
// CHECK-NEXT:        [[Y:%.*]] = arith.addf %x, [[T]]
// CHECK-NEXT:        contract.yield [[Y]] : f64
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.yield
// CHECK-NEXT:    }, {
// CHECK-NEXT:      affine.for %i
// CHECK:             } {poly.loop = #poly.loop<parallel, no_unroll>}

// Seven columns are too few, whatever the rest: loops stay.
func.func @narrow(%n: index, %C: memref<?x?xf64> {llvm.noalias},
                  %A: memref<?x?xf64> {llvm.noalias}, %B: memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 7 {
      affine.for %k = 0 to %n {
        %x = affine.load %C[%i, %j] : memref<?x?xf64>
        %p = affine.load %A[%i, %k] : memref<?x?xf64>
        %q = affine.load %B[%k, %j] : memref<?x?xf64>
        %t = arith.mulf %p, %q : f64
        %y = arith.addf %x, %t : f64
        affine.store %y, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @narrow
// CHECK-NOT:     contract.nest
