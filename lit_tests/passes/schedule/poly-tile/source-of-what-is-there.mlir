// The points of a tile, in the source's order, are those of the tile's own statements: not those of the nest beside it, and none of a
// statement that has gone since.
// RUN: polyopt-opt %s -p "poly-tile{sizes=4 points=source}" | filecheck %s
// RUN: polyopt-opt %s -p "poly-tile{sizes=4 points=source},poly-print-loops" | filecheck %s --check-prefix=LOOPS

func.func @two(%A : memref<8x8xf64>, %B : memref<8x8xf64>, %x : f64) {
  poly.scop "two" params() [] arrays(%A, %B : memref<8x8xf64>, memref<8x8xf64>) ["A", "B"]
    context <"{ : }">
    schedule <"{ domain: \"{ S[i, j] : 0 <= i, j <= 7; T[i, j] : 0 <= i, j <= 7 }\", child: { sequence: [ { filter: \"{ S[i, j] }\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\", permutable: 1, coincident: [ 1, 1 ] } }, { filter: \"{ T[i, j] }\", child: { schedule: \"[{ T[i, j] -> [i] }, { T[i, j] -> [j] }]\", permutable: 1, coincident: [ 1, 1 ] } } ] } }">
    attributes {poly.source_schedule = #poly.schedule<"{ domain: \"{ S[i, j] : 0 <= i, j <= 7; T[i, j] : 0 <= i, j <= 7; Gone[i] : 0 <= i <= 7 }\", child: { sequence: [ { filter: \"{ S[i, j] }\", child: { schedule: \"[{ S[i, j] -> [j] }, { S[i, j] -> [i] }]\" } }, { filter: \"{ T[i, j] }\", child: { schedule: \"[{ T[i, j] -> [i] }, { T[i, j] -> [j] }]\" } }, { filter: \"{ Gone[i] }\", child: { schedule: \"[{ Gone[i] -> [i] }]\" } } ] } }">}
  {
    poly.stmt "S" domain <"{ S[i, j] : 0 <= i, j <= 7 }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      poly.write %x, %A <"{ S[i, j] -> A[i, j] }"> : memref<8x8xf64>
    }
    poly.stmt "T" domain <"{ T[i, j] : 0 <= i, j <= 7 }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      poly.write %x, %B <"{ T[i, j] -> B[i, j] }"> : memref<8x8xf64>
    }
  }
  func.return
}

// CHECK: { mark: \22point\22, child: { schedule: \22[{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]\22 } } } } }, { filter: \22{ T[i, j] }\22
// CHECK-SAME: { mark: \22point\22, child: { schedule: \22[{ T[i, j] -> [(i)] }, { T[i, j] -> [(j)] }]\22 } } } } } ] } }">

// LOOPS:      for (c0 = 0; c0 < 8; c0 += 4) // tile, parallel
// LOOPS-NEXT:   for (c1 = 0; c1 < 8; c1 += 4) // tile, parallel
// LOOPS-NEXT:     for (c2 = c1; c2 < c1 + 4; c2++) // point, parallel
// LOOPS-NEXT:       for (c3 = c0; c3 < c0 + 4; c3++) // point, parallel
// LOOPS-NEXT:         S(c3, c2);
// LOOPS-NEXT: for (c0 = 0; c0 < 8; c0 += 4) // tile, parallel
// LOOPS-NEXT:   for (c1 = 0; c1 < 8; c1 += 4) // tile, parallel
// LOOPS-NEXT:     for (c2 = c0; c2 < c0 + 4; c2++) // point, parallel
// LOOPS-NEXT:       for (c3 = c1; c3 < c1 + 4; c3++) // point, parallel
// LOOPS-NEXT:         T(c2, c3);
