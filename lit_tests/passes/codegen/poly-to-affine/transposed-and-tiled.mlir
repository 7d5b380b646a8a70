// for (i) for (j <= i) B[i][j] = A[j][i];   interchanged and tiled by 32 in j
// Loops follow the schedule tree, a triangle's bounds are maps of several results, and the marks
// of the tree and the C loops' names are attributes.
// RUN: polyopt-opt %s -p poly-to-affine | filecheck %s

func.func @transpose(%A : memref<?x100xf64>, %B : memref<?x100xf64>, %n : index) {
  poly.scop "transpose" params(%n) ["n"] arrays(%A, %B : memref<?x100xf64>, memref<?x100xf64>) ["A", "B"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }\", child: { mark: \"tile\", child: { schedule: \"[{ S[i, j] -> [32*floor(j/32)] }]\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\" } } } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %a = poly.read %A <"{ S[i, j] -> A[j, i] }"> : memref<?x100xf64>
      poly.write %a, %B <"{ S[i, j] -> B[i, j] }"> : memref<?x100xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @transpose
// CHECK-NEXT:    affine.for %j_tile = 0 to %n step 32 {
// CHECK-NEXT:      affine.for %i = affine_map<(d0) -> (d0)>(%j_tile) to %n {
// CHECK-NEXT:        affine.for %j = affine_map<(d0) -> (d0)>(%j_tile) to min affine_map<(d0, d1) -> ((d0 + 32), (d1 + 1))>(%j_tile, %i) {
// CHECK-NEXT:          %a = affine.load %A[%j, %i] : memref<?x100xf64>
// CHECK-NEXT:          affine.store %a, %B[%i, %j] : memref<?x100xf64>
// CHECK-NEXT:        } {poly.loop = #poly.loop<parallel, iterator = "j">}
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel, iterator = "i">}
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel, iterator = "j", tile>}
