// A band that is not permutable is left alone: the sweep's loops are not skewed here.
// RUN: polyopt-opt %s -p "poly-tile{sizes=4},poly-print-loops" | filecheck %s
// RUN: not polyopt-opt %s -p "poly-tile{sizes=4,0}" 2>&1 | filecheck %s --check-prefix=SIZES

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

// CHECK:      for (c0 = 0; c0 < m; c0++)
// CHECK-NEXT:   for (c1 = 1; c1 < n - 1; c1++)
// CHECK-NEXT:     S(c0, c1);

// SIZES: error: poly-tile: sizes are positive integers
