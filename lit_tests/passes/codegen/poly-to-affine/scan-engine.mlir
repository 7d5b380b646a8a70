// for (i) { s: A[i] = …; for (j <= i, i + j even) t: B[i][j] = …; }   in tiles of 32 over i
// The second loop generator gives loops with steps and marks as isl's does: tiles start at their
// lattice's points, the stride of j is its loop's step.
// RUN: polyopt-opt %s -p 'poly-to-affine{engine=scan}' | filecheck %s

func.func @strided(%A : memref<?xf64>, %B : memref<?x100xf64>, %n : index) {
  poly.scop "strided" params(%n) ["n"] arrays(%A, %B : memref<?xf64>, memref<?x100xf64>) ["A", "B"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { s[i] : 0 <= i < n; t[i, j] : 0 <= i < n and 0 <= j <= i and (i + j) mod 2 = 0 }\", child: { mark: \"tile\", child: { schedule: \"[{ s[i] -> [32*floor(i/32)]; t[i, j] -> [32*floor(i/32)] }]\", child: { schedule: \"[{ s[i] -> [i]; t[i, j] -> [i] }]\", child: { sequence: [ { filter: \"{ s[i] }\" }, { filter: \"{ t[i, j] }\", child: { schedule: \"[{ t[i, j] -> [j] }]\" } } ] } } } } }">
  {
    poly.stmt "s" domain <"[n] -> { s[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %c = arith.constant 0.0 : f64
      poly.write %c, %A <"{ s[i] -> A[i] }"> : memref<?xf64>
    }
    poly.stmt "t" domain <"[n] -> { t[i, j] : 0 <= i < n and 0 <= j <= i and (i + j) mod 2 = 0 }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %c = arith.constant 1.0 : f64
      poly.write %c, %B <"{ t[i, j] -> B[i, j] }"> : memref<?x100xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @strided
// CHECK-NEXT:    affine.for %i_tile = 0 to %n step 32 {
// CHECK-NEXT:      affine.for %i = affine_map<(d0) -> (d0)>(%i_tile) to min affine_map<(d0)[s0] -> ((d0 + 32), s0)>(%i_tile)[%n] {
// CHECK:             affine.store %c, %A[%i] : memref<?xf64>
// CHECK-NEXT:        affine.for %j = affine_map<(d0) -> ((d0 mod 2))>(%i) to affine_map<(d0) -> ((d0 + 1))>(%i) step 2 {
// CHECK:               affine.store %c{{.*}}, %B[%i, %j] : memref<?x100xf64>
// CHECK-NEXT:        } {poly.loop = #poly.loop<parallel, iterator = "j">}
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel, iterator = "i">}
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel, iterator = "i", tile>}
