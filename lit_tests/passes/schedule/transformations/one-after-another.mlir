// Every transformation as a pass, one after the other on two nests. Scaling shows nowhere: a loop
// that counts in steps of two is generated without them.
// RUN: polyopt-opt %s -p 'poly-interchange{first="S.i" second="S.j"},poly-print-loops,poly-permute{loops="S.i","S.j"},poly-reverse{loop="S.j"},poly-print-loops,poly-reverse{loop="S.j"},poly-fuse{places="S","T"},poly-print-loops,poly-shift{loop="T.i" amount=1},poly-print-loops,poly-distribute{loop="S.i" before="T"},poly-scale{loop="T.i" factor=2},poly-print-loops,poly-peel{loop="T.i" end="last"},poly-reorder{places="T:2","S"},poly-print-loops,poly-split{loop="S.j" where="j < i"},poly-skew{loop="S:2.j" by="S:2.i" factor=-1},poly-print-loops,poly-strip-mine{loop="S:2.j" size=8},poly-unroll{loop="S:1.j" count=4},poly-print-loops' | filecheck %s

func.func @two(%A : memref<?x?xf64>, %B : memref<?xf64>, %n : index) {
  poly.scop "two" params(%n) ["n"] arrays(%A, %B : memref<?x?xf64>, memref<?xf64>) ["A", "B"]
    context <"[n] -> { : n > 2 }">
    schedule <"{ domain: \"[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }\", child: { sequence: [ { filter: \"{ S[i, j] }\", child: { schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\" } }, { filter: \"{ T[i] }\", child: { schedule: \"[{ T[i] -> [i] }]\" } } ] } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i, j < n }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %one = arith.constant 1.0 : f64
      poly.write %one, %A <"{ S[i, j] -> A[i, j] }"> : memref<?x?xf64>
    }
    poly.stmt "T" domain <"[n] -> { T[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %two = arith.constant 2.0 : f64
      poly.write %two, %B <"{ T[i] -> B[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK:      // two:
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 0; c1 < n; c1++) // parallel
// CHECK-NEXT: //       S(c1, c0);
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     T(c0);
// CHECK:      // two:
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = -n + 1; c1 < 1; c1++) // parallel
// CHECK-NEXT: //       S(c0, -c1);
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     T(c0);
// CHECK:      // two:
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 0; c1 < n; c1++) // parallel
// CHECK-NEXT: //       S(c0, c1);
// CHECK-NEXT: //     T(c0);
// CHECK:      // two:
// CHECK-NEXT: //   for (c0 = 0; c0 < n + 1; c0++) // parallel
// CHECK-NEXT: //     if (n - c0 - 1 >= 0)
// CHECK-NEXT: //       for (c1 = 0; c1 < n; c1++) // parallel
// CHECK-NEXT: //         S(c0, c1);
// CHECK-NEXT: //     if (c0 - 1 >= 0)
// CHECK-NEXT: //       T(c0 - 1);
// CHECK:      // two:
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 0; c1 < n; c1++) // parallel
// CHECK-NEXT: //       S(c0, c1);
// CHECK-NEXT: //   for (c0 = 1; c0 < n + 1; c0++) // parallel
// CHECK-NEXT: //     T(c0 - 1);
// CHECK:      // two:
// CHECK-NEXT: //   T(n - 1);
// CHECK-NEXT: //   for (c0 = 1; c0 < n; c0++) // parallel
// CHECK-NEXT: //     T(c0 - 1);
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 0; c1 < n; c1++) // parallel
// CHECK-NEXT: //       S(c0, c1);
// CHECK:      // two:
// CHECK-NEXT: //   T(n - 1);
// CHECK-NEXT: //   for (c0 = 1; c0 < n; c0++) // parallel
// CHECK-NEXT: //     T(c0 - 1);
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 0; c1 < c0; c1++) // parallel
// CHECK-NEXT: //       S(c0, c1);
// CHECK-NEXT: //     for (c1 = 0; c1 < n - c0; c1++) // parallel
// CHECK-NEXT: //       S(c0, c0 + c1);
// CHECK:      // two:
// CHECK-NEXT: //   T(n - 1);
// CHECK-NEXT: //   for (c0 = 1; c0 < n; c0++) // parallel
// CHECK-NEXT: //     T(c0 - 1);
// CHECK-NEXT: //   for (c0 = 0; c0 < n; c0++) // parallel
// CHECK-NEXT: //     for (c1 = 0; c1 < c0; c1 += 4) // tile, parallel
// CHECK-NEXT: //       for (c2 = c1; c2 < min(c0, c1 + 4); c2++) // unroll, parallel
// CHECK-NEXT: //         S(c0, c2);
// CHECK-NEXT: //     for (c1 = 0; c1 < n - c0; c1 += 8) // tile, parallel
// CHECK-NEXT: //       for (c2 = c1; c2 < min(n - c0, c1 + 8); c2++) // point, parallel
// CHECK-NEXT: //         S(c0, c0 + c2);
