// A transformation is a pass, and its result another one's input; the last is refused.
// RUN: polyopt-opt %s -p 'poly-skew{loop="S.i" by="S.t"},poly-tile-loops{loops="S.t","S.i" sizes=4,16},poly-peel{loop="S.i_tile" end="first"},poly-print-loops' | filecheck %s
// RUN: not polyopt-opt %s -p 'poly-tile-loops{loops="S.t","S.i" sizes=4,16}' 2>&1 | filecheck %s --check-prefix=ILLEGAL

func.func @sweep(%A : memref<?xf64>, %n : index, %m : index) {
  poly.scop "sweep" params(%n, %m) ["n", "m"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n, m] -> { : n > 0 and m > 0 }">
    schedule <"{ domain: \"[n, m] -> { S[t, i] : 0 <= t < m and 0 < i < n - 1 }\", child: { schedule: \"[n, m] -> [{ S[t, i] -> [t] }, { S[t, i] -> [i] }]\" } }">
  {
    poly.stmt "S" domain <"[n, m] -> { S[t, i] : 0 <= t < m and 0 < i < n - 1 }"> iterators ["t", "i"] {
    ^bb0(%t : index, %i : index):
      %a = poly.read %A <"{ S[t, i] -> A[i - 1] }"> : memref<?xf64>
      %b = poly.read %A <"{ S[t, i] -> A[i + 1] }"> : memref<?xf64>
      %s = arith.addf %a, %b : f64
      poly.write %s, %A <"{ S[t, i] -> A[i] }"> : memref<?xf64>
    } loc("sweep.c":4:7)
  }
  func.return
}

// CHECK:      for (c0 = 0; c0 < m; c0 += 4) // tile
// CHECK:        // point
// CHECK:        S(c{{[0-9]}}, -c{{[0-9]}} + c{{[0-9]}});
// CHECK:        for (c1 = {{.*}}; c1 += 16) // tile
// CHECK-NEXT:     for (c2 = {{.*}}; c2++) // point
// CHECK-NEXT:       for (c3 = {{.*}}; c3++) // point
// CHECK-NEXT:         S(c2, -c2 + c3);

// ILLEGAL:      <poly-tile-loops>:1:1: error: 'tile S.t S.i 4 16' is illegal:
// ILLEGAL-NEXT:   {{.*}} dependence from S to S (sweep.c:4:7 and sweep.c:4:7) is not kept
